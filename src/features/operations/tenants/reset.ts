/**
 * Reset of a tenant by the operator. The list of tables comes from the PostgreSQL catalog, so that it includes tables
 * of later migrations.
 */
import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { Platform } from '../../../platform.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { removeFiles, removeFilesOfTenant } from '../../assets/api.ts';
import { deleteUnusedUsers } from '../../tenancy/api.ts';
import { listDataTables } from './data-tables.ts';

/** Tables of which some rows survive a reset. Separate statements delete the other rows. */
const PARTLY_KEPT = new Set([
  'tenants',
  'business_units',
  'memberships',
  'business_unit_grants',
  'api_keys',
  'record_history',
  'entity_revisions',
  // Files are removed after their rows.
  'asset_removals',
]);

/**
 * Deletes all data of a tenant in one transaction, except for the tenant itself, its owners' memberships and keys, its
 * Default unit and their history. Users without a remaining membership are deleted too.
 * @throws AppError NOT_FOUND, or INVALID_REQUEST unless `confirm` repeats the code.
 */
export async function resetTenant(platform: Platform, code: string, confirm: string) {
  const tenant = await findTenantByCode(platform.database, code);
  if (!tenant) throw new AppError(NOT_FOUND);
  if (confirm !== code)
    throw invalidRequest([{ field: 'confirm', message: "must repeat the tenant's code" }]);
  const { tenant_id } = tenant;
  const all = platform.database.forTableChanges.everyTenant('tenant-reset');
  const tables = await listDataTables(all, PARTLY_KEPT);
  await all.transactionWithSharedTables(async (tx) => {
    // Changes of memberships lock the same row first, which prevents deadlocks.
    await tx.raw(
      sql`select from business_units where tenant_id = ${tenant_id} and is_default for no key update`,
    );
    await resetEntities(tx, tenant_id);
    await removeFilesOfTenant(tx, tenant_id, platform.clock());
    for (const table of tables)
      await tx.raw(sql`delete from ${sql.table(table)} where tenant_id = ${tenant_id}`);
    await resetIdentity(tx, tenant_id);
  });
  await platform.jobs.enqueue(platform.scoped(wholeTenant(tenant_id)), removeFiles, { tenantId: tenant_id });
  platform.observe({ event: 'tenant.reset', tenantId: tenant_id, code });
  return { tenant_id, code };
}

/** Removes entities. Their revision is increased, not deleted, because processes cache definitions by revision. */
async function resetEntities(tx: EveryTenantDb, tenantId: string): Promise<void> {
  await tx.raw(sql`update entity_revisions set revision = revision + 1 where tenant_id = ${tenantId}`);
  await tx.asOwner('tenant-reset', [sql`drop schema if exists ${sql.id(schemaOf(tenantId))} cascade`]);
}

async function resetIdentity(tx: EveryTenantDb, tenantId: string): Promise<void> {
  await tx.query.deleteFrom('business_unit_grants').where('tenant_id', '=', tenantId).execute();
  await tx.query
    .deleteFrom('business_units')
    .where('tenant_id', '=', tenantId)
    .where('is_default', '=', false)
    .execute();
  // API keys are deleted with their memberships.
  const removed = await tx.query
    .deleteFrom('memberships')
    .where('tenant_id', '=', tenantId)
    .where('is_tenant_admin', '=', false)
    .returning('user_id')
    .execute();
  await tx.raw(sql`
    delete from record_history h where h.tenant_id = ${tenantId}
      and not (h.entity_type = 'business_unit' and exists (
        select from business_units u where u.tenant_id = ${tenantId} and u.bu_id::text = h.sort_key))
      and not (h.entity_type = 'tenant_membership' and exists (
        select from memberships m where m.tenant_id = ${tenantId} and m.membership_id::text = h.sort_key))
  `);
  await deleteUnusedUsers(
    tx,
    removed.map((row) => row.user_id),
  );
}
