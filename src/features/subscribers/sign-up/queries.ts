import { sql } from 'kysely';
import type { Time } from '../../../db/tables.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { SubscriberRow } from '../resource.ts';

/** When an address (its normal form) was last asked to confirm. */
interface ConfirmationMailRow {
  tenant_id: string;
  address_key: string;
  sent_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    confirmation_mails: ConfirmationMailRow;
  }
}

const HOUR_MS = 60 * 60 * 1000;

/** Somebody who signs up, or is asked to confirm. */
export type Person = Pick<
  SubscriberRow,
  'id' | 'owner_bu_id' | 'email' | 'address_key' | 'active' | 'inactive_reason' | 'created_at'
>;

const PERSON = [
  'id',
  'owner_bu_id',
  'email',
  'address_key',
  'active',
  'inactive_reason',
  'created_at',
] as const;

/** A subscriber by its id; null when there is none. */
export async function findPerson(db: ScopedDb, id: string): Promise<Person | null> {
  const found = db.query.selectFrom('subscribers').select(PERSON).where('id', '=', id);
  return (await found.executeTakeFirst()) ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockPerson(tx: ScopedDb, id: string): Promise<Person | null> {
  const found = tx.query.selectFrom('subscribers').select(PERSON).where('id', '=', id).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** The subscriber of a unit who has an address (its normal form), locked until the transaction ends; null for nobody. */
export async function lockPersonAt(
  tx: ScopedDb,
  ownerBuId: string,
  addressKey: string,
): Promise<Person | null> {
  const found = tx.query
    .selectFrom('subscribers')
    .select(PERSON)
    .where('address_key', '=', addressKey)
    .where('owner_bu_id', '=', ownerBuId)
    .forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/** The subscription types that somebody has subscribed to, not counting those that nothing was said of. */
export async function listSubscribed(tx: ScopedDb, subscriberId: string): Promise<string[]> {
  const rows = await tx.query
    .selectFrom('subscription_preferences')
    .select('subscription_type_id')
    .where('subscriber_id', '=', subscriberId)
    .where('subscribed', '=', true)
    .execute();
  return rows.map(({ subscription_type_id }) => subscription_type_id);
}

/**
 * Takes the leave to ask an address (normal form) to confirm, which there is once an hour; of several who ask for it at once
 * one gets it.
 */
export async function takeConfirmationMail(tx: ScopedDb, addressKey: string, now: Date): Promise<boolean> {
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

/** Forgets that an address (normal form) was asked. */
export async function forgetConfirmationMail(tx: ScopedDb, addressKey: string): Promise<void> {
  await tx.query.deleteFrom('confirmation_mails').where('address_key', '=', addressKey).execute();
}

/** When somebody was asked matters for an hour. */
export const confirmationMailRetention = defineRetention({
  what: 'when addresses were asked to confirm a subscription',
  keptHours: 2,
  table: 'confirmation_mails',
  key: ['address_key'],
  isOld: (before) => sql`r.sent_at < ${before}`,
  byTenant: true,
});
