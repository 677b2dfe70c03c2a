/** Row locks on subscribers, always taken in the order of the ids. */
import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** A subscriber that is locked until the transaction ends. */
export interface LockedSubscriber {
  readonly id: string;
  readonly active: boolean;
  /** True if the subscriber was not changed since its creation. */
  readonly unchanged: boolean;
}

/** Locks the existing subscribers among these ids. */
export async function lockById(tx: ScopedDb, ids: readonly string[]): Promise<LockedSubscriber[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<LockedSubscriber>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`,
  );
  return rows;
}

/** Locks the next subscribers in the order of ids. */
export async function lockNext(tx: ScopedDb, after: string, limit: number): Promise<LockedSubscriber[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<LockedSubscriber>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id > ${after}::uuid order by id limit ${limit} for no key update`,
  );
  return rows;
}

/** A subscriber that cannot be erased until the transaction ends. */
export interface ExistingSubscriber {
  readonly id: string;
  readonly owner_bu_id: string;
  readonly active: boolean;
  readonly email: string;
  readonly address_key: string;
  readonly name: string | null;
}

/** Locks subscribers against erasure until the transaction ends. Missing ones are left out. */
export function keyShareLock(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  return lockWithStrength(tx, ids, sql`key share`);
}

/** Locks subscribers against any change until the transaction ends; conflicts with `lockById`. */
export function shareLock(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  return lockWithStrength(tx, ids, sql`share`);
}

async function lockWithStrength(
  tx: ScopedDb,
  ids: readonly string[],
  strength: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  const { rows } = await tx.raw(
    (tenantId) => sql<ExistingSubscriber>`
    select id, owner_bu_id, active, email, address_key, nullif(trim(concat_ws(' ', first_name, last_name)), '') as name
    from subscribers where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for ${strength}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
