import { type SqlBool, sql } from 'kysely';
import type { TenantRow } from '../../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/**
 * Changes columns of the tenant and returns its new version. Returns undefined if the tenant is being deleted, or does
 * not have the expected version.
 */
export async function updateTenant(
  db: ScopedDb,
  changes: Partial<Omit<TenantRow, 'tenant_id' | 'version'>>,
  expectedVersion?: number,
): Promise<number | undefined> {
  const isExpected =
    expectedVersion === undefined ? sql<SqlBool>`true` : sql<SqlBool>`version = ${expectedVersion}`;
  const changed = await db.query
    .updateTable('tenants')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('status', '<>', 'deleting')
    .where(isExpected)
    .returning('version')
    .executeTakeFirst();
  return changed?.version;
}
