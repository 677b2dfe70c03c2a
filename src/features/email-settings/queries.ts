import { type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';
import type { EmailSettings } from './resource.ts';
import type { SuppressionType } from './suppressions/resource.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    /** What hashes of erased recipients are made with, sealed. */
    suppression_keys: { tenant_id: string; key: string };
  }
}

/** Makes the settings, as version 0, when there are none, so that they can be locked. */
export async function makeSettings(tx: ScopedDb, now: Date): Promise<void> {
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

/** What the settings say of subscribers. */
export type SubscriberSettings = Pick<EmailSettings, 'subscription_types' | 'subscriber_additional_fields'>;

/** Those settings, in one small statement: each write of a subscriber asks. */
export async function getSubscriberSettings(db: ScopedDb): Promise<SubscriberSettings> {
  const stored = await db.query
    .selectFrom('email_settings')
    .select(['subscription_types', 'subscriber_additional_fields'])
    .executeTakeFirst();
  return stored ?? { subscription_types: [], subscriber_additional_fields: {} };
}

/** The event webhooks that there are, by name, with their sealed secrets. */
export async function findWebhookSecrets(db: ScopedDb) {
  const stored = await db.query.selectFrom('email_event_webhooks').select(['id', 'name', 'secret']).execute();
  return new Map(stored.map((webhook) => [webhook.name, webhook]));
}

/** A suppression to be written, of a recipient in normal form. */
export interface NewSuppression {
  readonly recipient: string;
  readonly type: string;
  readonly description: string;
}

/** Suppresses recipients in one statement and returns how many; who is suppressed already stays so as it is. */
export async function insertSuppressions(
  db: ScopedDb,
  suppressions: readonly NewSuppression[],
  now: Date,
): Promise<number> {
  // In one order, as all that write several of them do: two at once never wait for each other.
  const { numAffectedRows = 0n } = await db.raw(
    (tenantId) => sql`
    insert into email_suppressions (tenant_id, recipient, type, description, created_at)
    select home.tenant_id, recipient, type, description, ${now}
    from json_to_recordset(${JSON.stringify(suppressions)}::json)
      as given (recipient text, type text, description text)
    cross join ${homeIn(tenantId)}
    order by recipient
    on conflict do nothing`,
  );
  return Number(numAffectedRows);
}

/** Suppressions as a look-up finds them. */
export interface FoundSuppressions {
  readonly found: readonly { readonly recipient: string; readonly type: SuppressionType }[];
  /** The key under which those of erased people are kept, sealed; null: nobody was erased. */
  readonly hashKey: string | null;
}

/** The suppressions of any of these recipients (normal forms). */
export async function findSuppressionsOf(
  db: ScopedDb,
  recipients: readonly string[],
): Promise<FoundSuppressions> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ recipient: string; type: SuppressionType | null }>`
    select recipient, type from email_suppressions
    where tenant_id = ${tenantId}::uuid and recipient = any(${recipients}::text[])
    union all select key, null from suppression_keys where tenant_id = ${tenantId}::uuid`,
  );
  return {
    found: rows.flatMap(({ recipient, type }) => (type === null ? [] : [{ recipient, type }])),
    hashKey: rows.find(({ type }) => type === null)?.recipient ?? null,
  };
}

/** The sealed key of the tenant: this one, unless there was one before. */
export async function makeHashKey(tx: ScopedDb, sealed: string): Promise<string> {
  const keys = tx.query.insertInto('suppression_keys').values({ tenant_id: tx.tenantId, key: sealed });
  await keys.onConflict((conflict) => conflict.column('tenant_id').doNothing()).execute();
  const { key } = await tx.query.selectFrom('suppression_keys').select('key').executeTakeFirstOrThrow();
  return key;
}

/** Removes the suppression that there is under a name. */
export async function deleteSuppression(tx: ScopedDb, name: string): Promise<void> {
  await tx.query.deleteFrom('email_suppressions').where('recipient', '=', name).execute();
}

/** Puts something else in place of the recipient of a suppression, and forgets what was said of it. */
export async function renameSuppression(tx: ScopedDb, recipient: string, name: string): Promise<void> {
  await tx.query
    .updateTable('email_suppressions')
    .set({ recipient: name, description: '' })
    .where('recipient', '=', recipient)
    .execute();
}

/**
 * Removes the suppressions of recipients who unsubscribed; one of another type stays. With `typeIds`, the subscription
 * types that they come back to, also one that came from leaving others.
 */
export async function deleteUnsubscribes(
  db: ScopedDb,
  recipients: readonly string[],
  typeIds: readonly string[] | null,
): Promise<void> {
  const isTheirs = sql<SqlBool>`recipient = any(${recipients}::text[]) and type = 'unsubscribe'`;
  const unsubscribes = db.query.deleteFrom('email_suppressions').where(isTheirs);
  if (typeIds === null) {
    await unsubscribes.execute();
    return;
  }
  const others = typeIds.reduce((left, id) => sql`array_remove(${left}, ${id})`, sql<string[]>`left_types`);
  await db.query.updateTable('email_suppressions').set({ left_types: others }).where(isTheirs).execute();
  await unsubscribes.where(sql<SqlBool>`coalesce(left_types, '{}') = '{}'`).execute();
}
