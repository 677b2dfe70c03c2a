/** Existing subscribers, locked for a partial change. */
import { sql } from 'kysely';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { SubscriberRow } from './resource.ts';

/** The fields of a stored subscriber that a partial change uses. */
export type StoredSubscriber = Pick<SubscriberRow, (typeof COLUMNS)[number]>;

/** Fields that keep their stored value if a change does not contain them. */
export const MERGED_FIELDS = [
  'first_name',
  'last_name',
  'email',
  'active',
  'inactive_reason',
  'additional_fields_data',
] as const;
const COLUMNS = ['id', 'owner_bu_id', 'address_key', 'created_at', ...MERGED_FIELDS] as const;

/** A normalized address in a unit. */
export interface SubscriberAddress {
  readonly ownerId: string;
  readonly addressKey: string;
}

/** Locks the subscribers with these addresses until the transaction ends. */
export async function lockSubscribers(
  tx: ScopedDb,
  addresses: readonly SubscriberAddress[],
): Promise<StoredSubscriber[]> {
  const columns = sql.join(COLUMNS.map((name) => sql.ref(`s.${name}`)));
  // Lateral by index: with a join, the planner could read all subscribers of the tenant.
  const { rows } = await tx.raw(
    (tenantId) => sql<StoredSubscriber>`
    select found.*
    from json_to_recordset(${JSON.stringify(addresses)}::json) as a ("ownerId" uuid, "addressKey" text)
    cross join lateral (
      select ${columns} from subscribers s
      where s.tenant_id = ${tenantId}::uuid and s.address_key = a."addressKey" and s.owner_bu_id = a."ownerId"
      for update) found`,
  );
  return rows;
}

/** Locks the subscribers with these ids until the transaction ends. */
export function lockSubscribersById(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<(StoredSubscriber & { readonly version: number })[]> {
  return tx.query
    .selectFrom('subscribers')
    .select([...COLUMNS, 'version'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks the subscriber with this id until the transaction ends; null if there is none. */
export async function lockSubscriber(tx: ScopedDb, id: string): Promise<StoredSubscriber | null> {
  if (!isUuid(id)) return null;
  const found = tx.query.selectFrom('subscribers').select(COLUMNS).where('id', '=', id).forUpdate();
  return (await found.executeTakeFirst()) ?? null;
}

/**
 * Locks the subscriber with a normalized address until the transaction ends: the one of this unit, else the oldest of
 * any unit. Returns null if there is none.
 */
export async function lockSubscriberOfUnitOrOldest(
  tx: ScopedDb,
  addressKey: string,
  unitId: string,
): Promise<StoredSubscriber | null> {
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
