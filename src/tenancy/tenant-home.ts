/**
 * Where a tenant's rows are. On a cluster, a statement that inserts rows made of others goes to the tenant's node when
 * one of its sources is a table that is spread by tenant, and takes `tenant_id` from there; rows that are made of JSON or of
 * what a `with` has written have no such source. Every tenant has one Default unit, so that its row is one: joined to any
 * rows it leaves them as they are. On one server that costs what looking for it by an index does.
 */
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { ScopedDb } from './scoped-db.ts';

/** The one row `home`, to be cross-joined in a scoped statement. */
export function homeOf(eb: ExpressionBuilder<Tables, never>) {
  return eb
    .selectFrom('business_units')
    .select('business_units.tenant_id')
    .where('business_units.is_default', '=', true)
    .as('home');
}

/** The same for a statement that is written in SQL: `cross join ${homeIn(tenantId)}`. */
export function homeIn(tenantId: string): RawBuilder<unknown> {
  return sql`(select tenant_id from business_units where tenant_id = ${tenantId}::uuid and is_default) home`;
}

/** The id of the Default unit: it owns what nothing else says the owner of. */
export async function defaultUnitOf(db: ScopedDb): Promise<string> {
  const home = db.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  return (await home.executeTakeFirstOrThrow()).bu_id;
}

/**
 * Makes other work that locks the tenant wait until the transaction ends. Not by its row in `tenants`: that is on every
 * node of a cluster.
 */
export async function lockTenant(tx: ScopedDb): Promise<void> {
  const home = tx.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  await home.forNoKeyUpdate().execute();
}

/** Waits for work that locks the tenant, and makes such work wait until the transaction ends, but not others that do the same. */
export async function shareTenant(tx: ScopedDb): Promise<void> {
  const home = tx.query.selectFrom('business_units').select('bu_id').where('is_default', '=', true);
  await home.forShare().execute();
}
