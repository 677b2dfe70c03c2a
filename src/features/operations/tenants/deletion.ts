/**
 * Deletion of a tenant. The call hides it at once; a job then removes its rows and files in bounded steps. After a
 * crash, the job continues with the remaining ones.
 */
import { sql } from 'kysely';
import Type from 'typebox';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { deleteRows } from '../../../jobs/bounded-deletion.ts';
import { PLATFORM_TENANT_ID } from '../../../jobs/job-rows.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { deleteUnusedUsers } from '../../tenancy/api.ts';
import { requireTenant } from './changes.ts';
import { listDataTables, listPrimaryKeys } from './data-tables.ts';

/** Tables to empty after the memberships. `jobs` is emptied again, because running work may have added rows. */
const LAST_TABLES = ['jobs', 'business_units'];
/** Delay in ms after which other processes know of the deletion and most requests have ended. */
const DELAY_MS = 2000;
/** Maximum number of memberships that one transaction removes, with their users. */
const MEMBERS_PER_BATCH = 100;

/** Removes the data of deleted tenants: two seconds after the call, and hourly if that was interrupted. */
export const removeDeletedTenants = defineJob({
  name: 'tenants.remove-deleted',
  payload: Type.Object({}),
  timeoutSeconds: 3600,
  schedule: '29 * * * *',
  run: async (platform) => {
    const all = platform.database.forTableChanges.everyTenant('tenant-deletion');
    const deleted = all.query.selectFrom('tenants').select('tenant_id').where('status', '=', 'deleting');
    for (const { tenant_id } of await deleted.execute()) await removeTenant(platform, all, tenant_id);
  },
});

/**
 * Deletes a tenant permanently. Its code is free at once.
 * @throws AppError NOT_FOUND, or INVALID_REQUEST unless `confirm` repeats the code.
 */
export async function deleteTenant(
  platform: Platform,
  code: string,
  confirm: string,
): Promise<{ tenant_id: string }> {
  const { tenantId } = await requireTenant(platform, code);
  if (confirm !== code)
    throw invalidRequest([{ field: 'confirm', message: "must repeat the tenant's code" }]);
  const db = platform.scoped(wholeTenant(tenantId));
  // A valid code contains no space, so this one cannot collide.
  const tombstone = { status: 'deleting', code: `deleted ${tenantId}` } as const;
  await db.query.updateTable('tenants').set(tombstone).execute();
  closedTenants(platform).record(tenantId, true);
  const at = new Date(platform.clock().getTime() + DELAY_MS);
  await platform.jobs.enqueue(platform.scoped(wholeTenant(PLATFORM_TENANT_ID)), removeDeletedTenants, {}, at);
  platform.observe({ event: 'tenant.deleted', tenantId, code });
  return { tenant_id: tenantId };
}

async function removeTenant(platform: Platform, all: EveryTenantDb, tenantId: string): Promise<void> {
  await platform.storage.removeFolder(tenantId);
  await all.transaction((tx) =>
    tx.asOwner('tenant-deletion', [sql`drop schema if exists ${sql.id(schemaOf(tenantId))} cascade`]),
  );
  const keys = await listPrimaryKeys(all);
  const empty = (table: string) =>
    deleteRows(
      (statement) => all.raw(statement),
      { table, key: keys.get(table) ?? [], where: sql`true`, tenantIds: [tenantId] },
      platform.config.jobBatchSize,
    );
  for (const table of await listDataTables(all, new Set(['tenants', 'memberships', 'business_units'])))
    await empty(table);
  await removeMembers(all, tenantId);
  for (const table of LAST_TABLES) await empty(table);
  await all.transactionWithSharedTables((tx) =>
    tx.query.deleteFrom('tenants').where('tenant_id', '=', tenantId).execute(),
  );
  platform.observe({ event: 'tenant.removed', tenantId });
}

/** Removes memberships and users without another membership. */
async function removeMembers(all: EveryTenantDb, tenantId: string): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    hasMore = await all.transactionWithSharedTables(async (tx) => {
      const { rows } = await tx.raw(sql<{ user_id: string }>`
        delete from memberships where tenant_id = ${tenantId} and membership_id in (
          select membership_id from memberships where tenant_id = ${tenantId} limit ${MEMBERS_PER_BATCH})
        returning user_id`);
      await deleteUnusedUsers(
        tx,
        rows.map(({ user_id }) => user_id),
      );
      return rows.length === MEMBERS_PER_BATCH;
    });
  }
}
