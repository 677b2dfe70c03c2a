/**
 * Selection of a tenant's node. On a cluster, an insert of selected rows goes to the tenant's node if one of its
 * sources is a distributed table, whose `tenant_id` it uses. JSON and results of `with` are not. Every
 * tenant has exactly one Default unit, so a cross join with it adds the node and changes no rows. On one server it
 * costs an index look-up.
 */
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { ScopedDb } from './scoped-db.ts';

/** Returns the one-row table `home` for a cross join in a scoped statement. */
export function homeOf(eb: ExpressionBuilder<Tables, never>) {
  return eb
    .selectFrom('business_units')
    .select('business_units.tenant_id')
    .where('business_units.is_default', '=', true)
    .as('home');
}

/** Returns the same for raw SQL: `cross join ${homeIn(tenantId)}`. */
export function homeIn(tenantId: string): RawBuilder<unknown> {
  return sql`(select tenant_id from business_units where tenant_id = ${tenantId}::uuid and is_default) home`;
}

/** Returns the id of the Default unit, which owns records without another owner. */
export async function defaultUnitOf(db: ScopedDb): Promise<string> {
  const home = db.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  return (await home.executeTakeFirstOrThrow()).bu_id;
}

/**
 * Locks the tenant until the transaction ends. It locks the Default unit, not the row in `tenants`, which is on every
 * node of a cluster.
 */
export async function lockTenant(tx: ScopedDb): Promise<void> {
  const home = tx.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  await home.forNoKeyUpdate().execute();
}

/** Share-locks the tenant until the transaction ends: excludes `lockTenant`, but not other share locks. */
export async function shareLockTenant(tx: ScopedDb): Promise<void> {
  const home = tx.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  await home.forShare().execute();
}
