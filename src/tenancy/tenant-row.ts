/**
 * The row that stands for a tenant in statements: its Default unit, of which every tenant has exactly one. The row in
 * `tenants` is on every node of a cluster, so it can neither be locked nor tell where the tenant's rows are.
 */
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { ScopedDb } from './scoped-db.ts';

/**
 * Returns the one-row table `tenant_row`. An insert of computed rows, such as those of JSON or of a `with`, takes its
 * `tenant_id` from there: `insert into notes select tenant_row.tenant_id, … cross join ${tenantRow(tenantId)}`. On a
 * cluster such an insert goes to the tenant's node only if one of its sources is a distributed table whose `tenant_id`
 * it uses. On one server it costs an index look-up.
 */
export function tenantRow(tenantId: string): RawBuilder<unknown> {
  return sql`(select tenant_id from business_units where tenant_id = ${tenantId}::uuid and is_default) tenant_row`;
}

/** Returns the same table for a scoped statement of the query builder. */
export function tenantRowOf(eb: ExpressionBuilder<Tables, never>) {
  return eb
    .selectFrom('business_units')
    .select('business_units.tenant_id')
    .where('business_units.is_default', '=', true)
    .as('tenant_row');
}

/** Returns the id of the Default unit, which owns records without another owner. */
export async function defaultUnitOf(db: ScopedDb): Promise<string> {
  return (await defaultUnit(db).executeTakeFirstOrThrow()).bu_id;
}

/** Locks the tenant until the transaction ends. */
export async function lockTenant(tx: ScopedDb): Promise<void> {
  await defaultUnit(tx).forNoKeyUpdate().execute();
}

/** Share-locks the tenant until the transaction ends: excludes `lockTenant`, but not other share locks. */
export async function shareLockTenant(tx: ScopedDb): Promise<void> {
  await defaultUnit(tx).forShare().execute();
}

function defaultUnit(db: ScopedDb) {
  return db.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
}
