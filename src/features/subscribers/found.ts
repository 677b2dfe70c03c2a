/** Subscribers who are there, locked for a change of some of what is known of them. */
import { sql } from 'kysely';
import { isUuid } from '../../resources/keys.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { SubscriberRow } from './resource.ts';

/** A subscriber that is there. */
export type Found = Pick<SubscriberRow, (typeof COLUMNS)[number]>;

/** What a subscriber keeps where nothing is said of it. */
export const KEPT = [
  'first_name',
  'last_name',
  'email',
  'active',
  'inactive_reason',
  'additional_fields_data',
] as const;
const COLUMNS = ['id', 'owner_bu_id', 'address_key', 'created_at', ...KEPT] as const;

/** An address, in its normal form, of a unit. */
export interface Address {
  readonly ownerId: string;
  readonly addressKey: string;
}

/** The subscribers who have any of these addresses, locked until the transaction ends. */
export async function lockSubscribers(tx: ScopedDb, addresses: readonly Address[]): Promise<Found[]> {
  const columns = sql.join(COLUMNS.map((name) => sql.ref(`s.${name}`)));
  // One by one, by the index: where the planner takes them for many it would read all subscribers of the tenant.
  const { rows } = await tx.raw(
    (tenantId) => sql<Found>`
    select found.*
    from json_to_recordset(${JSON.stringify(addresses)}::json) as given ("ownerId" uuid, "addressKey" text)
    cross join lateral (
      select ${columns} from subscribers s
      where s.tenant_id = ${tenantId}::uuid and s.address_key = given."addressKey" and s.owner_bu_id = given."ownerId"
      for update) found`,
  );
  return rows;
}

/** The subscriber of this id, locked until the transaction ends; null: there is none. */
export async function lockSubscriber(tx: ScopedDb, id: string): Promise<Found | null> {
  if (!isUuid(id)) return null;
  const found = tx.query.selectFrom('subscribers').select(COLUMNS).where('id', '=', id).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/**
 * The subscriber of an address (its normal form), locked until the transaction ends: of several that of this unit, else the
 * oldest; null: there is none.
 */
export async function lockSubscriberAt(
  tx: ScopedDb,
  addressKey: string,
  unitId: string,
): Promise<Found | null> {
  const found = tx.query
    .selectFrom('subscribers')
    .select(COLUMNS)
    .where('address_key', '=', addressKey)
    .orderBy(sql`owner_bu_id = ${unitId}`, 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}
