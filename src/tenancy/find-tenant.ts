import type { Database } from '../db/database.ts';
import type { TenantRow } from './identity-tables.ts';
import type { ScopedDb } from './scoped-db.ts';

/** Returns the tenant of `db`. */
export async function getTenant(db: ScopedDb): Promise<TenantRow> {
  return db.query.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();
}

/** Returns the tenant of `db`; undefined if it no longer exists. */
export async function findTenant(db: ScopedDb): Promise<TenantRow | undefined> {
  return db.query.selectFrom('tenants').selectAll().executeTakeFirst();
}

/** Returns the tenant with this code, the operator's name of a tenant. */
export async function findTenantByCode(database: Database, code: string): Promise<TenantRow | undefined> {
  const { query } = database.everyTenant('operator-tenants');
  const found = query.selectFrom('tenants').selectAll().where('code', '=', code);
  return found.where('status', '<>', 'deleting').executeTakeFirst();
}
