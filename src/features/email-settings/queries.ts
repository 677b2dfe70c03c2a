import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';

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

/** The suppressions of any of these recipients (normal forms). */
export function findSuppressionsOf(db: ScopedDb, recipients: readonly string[]) {
  return db.query
    .selectFrom('email_suppressions')
    .select(['recipient', 'type'])
    .where('recipient', '=', sql<string>`any(${recipients}::text[])`)
    .execute();
}

/** Removes the suppression of a recipient (normal form) who unsubscribed; one of another type stays. */
export async function deleteUnsubscribe(db: ScopedDb, recipient: string): Promise<void> {
  await db.query
    .deleteFrom('email_suppressions')
    .where('recipient', '=', recipient)
    .where('type', '=', 'unsubscribe')
    .execute();
}
