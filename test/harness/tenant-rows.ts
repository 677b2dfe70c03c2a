import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/**
 * Writes tenants with only a Default unit, by which work queues find tenants on the nodes of a cluster. Existing
 * tenants stay unchanged.
 */
export async function insertTenants(database: Database, ids: readonly string[]): Promise<void> {
  const { query } = database.everyTenant('tests');
  const created_at = new Date();
  await query
    .insertInto('tenants')
    .values(
      ids.map((id) => ({
        tenant_id: id,
        code: id,
        name: 'Tenant',
        brand_settings: sql`'{}'`,
        status: 'active' as const,
        time_zone: 'UTC',
        session_hours: 12,
        version: 1,
        created_at: created_at.toISOString(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const times = { created_at, updated_at: created_at, archived_at: null };
  const unit = { name: 'Unit', slug: 'unit', is_default: true, version: 1, ...times };
  await query
    .insertInto('business_units')
    .values(ids.map((id) => ({ ...unit, tenant_id: id, bu_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
