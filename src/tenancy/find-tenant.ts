import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { TenantRow } from './identity-tables.ts';
import type { ScopedDb } from './scoped-db.ts';

/** The tenant of `db`. */
export async function getTenant(db: ScopedDb): Promise<TenantRow> {
  return db.query.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();
}

/** The tenant with this code, by which operators name it. */
export async function findTenantByCode(
  everyTenant: Kysely<Tables>,
  code: string,
): Promise<TenantRow | undefined> {
  return everyTenant.selectFrom('tenants').selectAll().where('code', '=', code).executeTakeFirst();
}
