import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { tenantRow } from '../../tenancy/tenant-row.ts';
import type { DeliveryWebhook } from '../../work-queue/delivery-source.ts';
import type { FailingWebhook } from '../../work-queue/failing-webhooks.ts';
import { IS_FAILING } from '../../work-queue/target-outcomes.ts';
import type { EmailSettings } from './resource.ts';
import type { SuppressionType } from './suppressions/resource.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    /** Keys for hashing erased recipients, sealed. */
    suppression_keys: { tenant_id: string; key: string };
  }
}

/** Creates the settings as version 0 if they do not exist, so that they can be locked. */
export async function ensureSettings(tx: ScopedDb, now: Date): Promise<void> {
  await tx.query
    .insertInto('email_settings')
    .values({
      tenant_id: tx.tenantId,
      version: 0,
      created_at: now,
      updated_at: now,
      sender_identities: '[]',
      whitelist_recipient_rules: '[]',
      subscription_types: '[]',
      subscriber_additional_fields: '{}',
      sandbox_mode: false,
    })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
}

/** Settings that concern subscribers. */
export type SubscriberSettings = Pick<EmailSettings, 'subscription_types' | 'subscriber_additional_fields'>;

/** Returns the subscriber settings in one small statement, because each write of a subscriber reads them. */
export async function getSubscriberSettings(db: ScopedDb): Promise<SubscriberSettings> {
  const stored = await db.query
    .selectFrom('email_settings')
    .select(['subscription_types', 'subscriber_additional_fields'])
    .executeTakeFirst();
  return stored ?? { subscription_types: [], subscriber_additional_fields: {} };
}

/** Returns the event webhooks by name, with their sealed secrets. */
export async function findWebhookSecrets(db: ScopedDb) {
  const stored = await db.query.selectFrom('email_event_webhooks').select(['id', 'name', 'secret']).execute();
  return new Map(stored.map((webhook) => [webhook.name, webhook]));
}

/** Lists event webhooks by name: all, or those with these ids. */
export async function listNamedEventWebhooks(
  db: ScopedDb,
  ids?: readonly string[],
): Promise<DeliveryWebhook[]> {
  const query = db.query.selectFrom('email_event_webhooks').select(['id', 'name', 'active as is_active']);
  const webhooks = await (ids === undefined ? query : query.where('id', 'in', ids)).orderBy('name').execute();
  return webhooks.map((webhook) => ({ ...webhook, owner_bu_id: null }));
}

/** Returns the event webhook with a name. */
export function findEventWebhook(db: ScopedDb, name: string) {
  return db.query
    .selectFrom('email_event_webhooks')
    .select(['id', 'target', 'events', 'secret'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Lists the newest of the active event webhooks that need attention, each with the number of all of them. */
export function listFailingEventWebhooks(db: ScopedDb, limit: number): Promise<FailingWebhook[]> {
  return db.query
    .selectFrom('email_event_webhooks')
    .select(['id', 'name', 'failing_since', 'failed_attempts', 'failed_deliveries'])
    .select([sql<null>`null`.as('owner_bu_id'), sql<number>`count(*) over ()::int`.as('total')])
    .where(IS_FAILING)
    .where('active', '=', true)
    .orderBy('failing_since', 'desc')
    .limit(limit)
    .execute();
}

/** Lists the newest sending domains that are not verified, each with the number of all of them. */
export function listUnverifiedDomains(db: ScopedDb, limit: number) {
  return db.query
    .selectFrom('sending_domains')
    .select(['domain', 'status', 'unverified_since'])
    .select(sql<string>`coalesce(unverified_since, created_at)`.as('since'))
    .select(sql<number>`count(*) over ()::int`.as('total'))
    .where(sql<SqlBool>`status ->> 'ownership_verified' = 'false'`)
    .orderBy('since', 'desc')
    .limit(limit)
    .execute();
}

/** A new suppression of a normalized recipient. */
export interface NewSuppression {
  readonly recipient: string;
  readonly type: string;
  readonly description: string;
}

/** Inserts suppressions in one statement and returns their number. Existing suppressions stay unchanged. */
export async function insertSuppressions(
  db: ScopedDb,
  suppressions: readonly NewSuppression[],
  now: Date,
): Promise<number> {
  // Sorted, like all writes of several suppressions, so that concurrent writers do not deadlock.
  const { numAffectedRows = 0n } = await db.raw(
    (tenantId) => sql`
    insert into email_suppressions (tenant_id, recipient, type, description, created_at)
    select tenant_row.tenant_id, recipient, type, description, ${now}
    from json_to_recordset(${JSON.stringify(suppressions)}::json)
      as given (recipient text, type text, description text)
    cross join ${tenantRow(tenantId)}
    order by recipient
    on conflict do nothing`,
  );
  return Number(numAffectedRows);
}

/** A suppression of a normalized recipient. */
export interface FoundSuppression {
  readonly recipient: string;
  readonly type: SuppressionType;
  readonly description: string;
  readonly created_at: string;
}

/** Result of looking up suppressions. */
export interface FoundSuppressions {
  readonly found: readonly FoundSuppression[];
  /** Sealed key for hashing erased recipients; null if the tenant has erased none. */
  readonly hashKey: string | null;
}

/** Returns the suppressions of normalized recipients. */
export async function findSuppressionsOf(
  db: ScopedDb,
  recipients: readonly string[],
): Promise<FoundSuppressions> {
  const { rows } = await db.raw(
    (tenantId) => sql<FoundSuppression | { readonly recipient: string; readonly type: null }>`
    select recipient, type, description, created_at from email_suppressions
    where tenant_id = ${tenantId}::uuid and recipient = any(${recipients}::text[])
    union all select key, null, null, null from suppression_keys where tenant_id = ${tenantId}::uuid`,
  );
  return {
    found: rows.flatMap((row) => (row.type === null ? [] : [row])),
    hashKey: rows.find(({ type }) => type === null)?.recipient ?? null,
  };
}

/** Returns the tenant's sealed hash key; stores `sealed` as the key if the tenant has none. */
export async function ensureHashKey(tx: ScopedDb, sealed: string): Promise<string> {
  const keys = tx.query.insertInto('suppression_keys').values({ tenant_id: tx.tenantId, key: sealed });
  await keys.onConflict((conflict) => conflict.column('tenant_id').doNothing()).execute();
  const { key } = await tx.query.selectFrom('suppression_keys').select('key').executeTakeFirstOrThrow();
  return key;
}

/** Deletes the suppression with this recipient, if it exists. */
export async function deleteSuppression(tx: ScopedDb, name: string): Promise<void> {
  await tx.query.deleteFrom('email_suppressions').where('recipient', '=', name).execute();
}

/** Replaces the recipient of a suppression and clears its description. */
export async function renameSuppression(tx: ScopedDb, recipient: string, name: string): Promise<void> {
  await tx.query
    .updateTable('email_suppressions')
    .set({ recipient: name, description: '' })
    .where('recipient', '=', recipient)
    .execute();
}

/**
 * Deletes the `unsubscribe` suppressions of recipients; other types stay. With `typeIds`, the subscription types that
 * the recipients resubscribed to, a suppression by leaving types stays until all of them are resubscribed.
 */
export async function deleteUnsubscribes(
  db: ScopedDb,
  recipients: readonly string[],
  typeIds: readonly string[] | null,
): Promise<void> {
  const matches = sql<SqlBool>`recipient = any(${recipients}::text[]) and type = 'unsubscribe'`;
  const unsubscribes = db.query.deleteFrom('email_suppressions').where(matches);
  if (typeIds === null) {
    await unsubscribes.execute();
    return;
  }
  const others = typeIds.reduce((left, id) => sql`array_remove(${left}, ${id})`, sql<string[]>`left_types`);
  await db.query.updateTable('email_suppressions').set({ left_types: others }).where(matches).execute();
  await unsubscribes.where(sql<SqlBool>`coalesce(left_types, '{}') = '{}'`).execute();
}

/**
 * Returns SQL that is true if one of these recipients is suppressed. One `exists` per recipient: a combined condition
 * would scan all suppressions of the tenant.
 */
export function suppressionExists(
  tenantId: string,
  recipients: readonly RawBuilder<string>[],
  transactional: boolean,
): RawBuilder<SqlBool> {
  const isEffective = transactional ? sql`e.type <> 'unsubscribe'` : sql`true`;
  const conditions = recipients.map(
    (recipient) => sql`exists (
    select from email_suppressions e where e.tenant_id = ${tenantId}::uuid and e.recipient = ${recipient} and ${isEffective})`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
