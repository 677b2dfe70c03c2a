import { sql } from 'kysely';
import type { Time } from '../../../../db/tables.ts';
import { defineRetention } from '../../../../jobs/retention.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { SubscriberRow } from '../resource.ts';

/** Time of the last confirmation mail to a normalized address. */
interface ConfirmationMailRow {
  tenant_id: string;
  address_key: string;
  sent_at: Time;
}

declare module '../../../../db/tables.ts' {
  interface Tables {
    confirmation_mails: ConfirmationMailRow;
  }
}

const HOUR_MS = 60 * 60 * 1000;

/** Columns of a subscriber that sign-ups and confirmations use. */
export type SignUpSubscriber = Pick<
  SubscriberRow,
  'id' | 'owner_bu_id' | 'email' | 'address_key' | 'active' | 'inactive_reason' | 'created_at'
>;

const COLUMNS = [
  'id',
  'owner_bu_id',
  'email',
  'address_key',
  'active',
  'inactive_reason',
  'created_at',
] as const;

/** Finds a subscriber by id; null if there is none. */
export async function findSubscriber(db: ScopedDb, id: string): Promise<SignUpSubscriber | null> {
  const found = db.query.selectFrom('subscribers').select(COLUMNS).where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/** Locks a subscriber by id until the transaction ends; null if there is none. */
export async function lockSubscriber(tx: ScopedDb, id: string): Promise<SignUpSubscriber | null> {
  const found = tx.query.selectFrom('subscribers').select(COLUMNS).where('id', '=', id).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** Locks the subscriber with a normalized address in a unit until the transaction ends; null if there is none. */
export async function lockSubscriberAt(
  tx: ScopedDb,
  ownerBuId: string,
  addressKey: string,
): Promise<SignUpSubscriber | null> {
  const found = tx.query
    .selectFrom('subscribers')
    .select(COLUMNS)
    .where('address_key', '=', addressKey)
    .where('owner_bu_id', '=', ownerBuId)
    .forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** Returns the ids of the types that a subscriber has explicitly subscribed to. */
export async function listSubscribedTypes(tx: ScopedDb, subscriberId: string): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('subscription_preferences')
    .select('subscription_type_id')
    .where('subscriber_id', '=', subscriberId)
    .where('subscribed', '=', true)
    .execute();
  return rows.map(({ subscription_type_id }) => subscription_type_id);
}

/**
 * Returns true if a confirmation mail may be sent to a normalized address, and stores its time: at most one is sent per
 * hour. Only one of several concurrent calls returns true.
 */
export async function claimConfirmationMail(tx: ScopedDb, addressKey: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.query
    .insertInto('confirmation_mails')
    .values({ tenant_id: tx.tenantId, address_key: addressKey, sent_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'address_key'])
        .doUpdateSet({ sent_at: now })
        .where('confirmation_mails.sent_at', '<=', new Date(now.getTime() - HOUR_MS).toISOString()),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes the time of the last confirmation mail of a normalized address. */
export async function deleteConfirmationMail(tx: ScopedDb, addressKey: string): Promise<void> {
  await tx.query.deleteFrom('confirmation_mails').where('address_key', '=', addressKey).execute();
}

/** Retention of the times of confirmation mails, which matter for an hour. */
export const confirmationMailRetention = defineRetention({
  description: 'times of subscription confirmation mails',
  keptHours: 2,
  table: 'confirmation_mails',
  key: ['address_key'],
  isOld: (before) => sql`r.sent_at < ${before}`,
  byTenant: true,
});
