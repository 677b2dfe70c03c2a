import { sql } from 'kysely';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import type { Time } from '../../db/tables.ts';
import { oncePerPlatform } from '../../platform.ts';
import { KnownTenants } from '../../tenancy/known-tenants.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

interface AssetRemovalTable {
  tenant_id: string;
  asset_id: string;
  due_at: Time;
  attempts: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    asset_removals: AssetRemovalTable;
  }
}

/** Cache of tenants by asset id, because a public address identifies no tenant. */
export const tenantsOfAssets = oncePerPlatform(
  ({ database }) =>
    new KnownTenants((id) =>
      database.everyTenant('asset-tenant').gather(
        (inTenants) => sql<{ tenant_id: string }>`
          select a.tenant_id from assets a where a.id = ${id} and ${inTenants('a.tenant_id')} limit 1`,
      ),
    ),
);

/** Properties of an asset for features that reference it. */
export interface AssetInfo {
  readonly name: string;
  readonly mime_type: string;
  readonly size: number;
}

/** Returns the existing assets of the tenant among these ids, by id. */
export async function listAssets(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AssetInfo>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('assets')
    .select(['id', 'name', 'mime_type', 'size'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...info }) => [id, info]));
}

/** Increments the number of stored variants of an asset. */
export async function countVariant(db: ScopedDb, id: string): Promise<void> {
  await db.query
    .updateTable('assets')
    .set({ variants: sql<number>`variants + 1` })
    .where('id', '=', id)
    .execute();
}

/** Schedules the removal of an asset's files. */
export async function insertRemoval(db: ScopedDb, assetId: string, dueAt: Date): Promise<void> {
  await db.query
    .insertInto('asset_removals')
    .values({ tenant_id: db.tenantId, asset_id: assetId, due_at: dueAt, attempts: 0 })
    .execute();
}

/** Cancels the scheduled removal of an asset's files. Returns false if it has already started. */
export async function cancelRemoval(tx: ScopedDb, assetId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('asset_removals')
    .where('asset_id', '=', assetId)
    .where('attempts', '=', 0)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Starts due removals and returns them. Each stays scheduled for `retryAt`, in case it fails. */
export async function startRemovals(
  db: ScopedDb,
  { now, retryAt, limit }: { readonly now: Date; readonly retryAt: Date; readonly limit: number },
): Promise<{ asset_id: string; attempts: number }[]> {
  const due = db.query
    .selectFrom('asset_removals')
    .select('asset_id')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit);
  return (
    db.query
      .updateTable('asset_removals')
      .set({ due_at: retryAt, attempts: sql<number>`attempts + 1` })
      .where('asset_id', 'in', due)
      // Another process may have started some of them since the subquery.
      .where('due_at', '<=', now.toISOString())
      .returning(['asset_id', 'attempts'])
      .execute()
  );
}

/** Deletes a completed removal. */
export async function deleteRemoval(db: ScopedDb, assetId: string): Promise<void> {
  await db.query.deleteFrom('asset_removals').where('asset_id', '=', assetId).execute();
}

/** Lists the tenants with due removals. */
export function listTenantsWithDueRemovals(all: EveryTenantDb, now: Date) {
  return all.gather(
    (inTenants) => sql<{ tenant_id: string }>`
      select distinct r.tenant_id from asset_removals r where r.due_at <= ${now} and ${inTenants('r.tenant_id')}`,
  );
}

/** Schedules the removal of all files of a tenant's assets. Call it before the assets' rows are deleted. */
export async function removeFilesOfTenant(tx: EveryTenantDb, tenantId: string, now: Date): Promise<void> {
  await tx.raw(sql`
    insert into asset_removals (tenant_id, asset_id, due_at, attempts)
    select tenant_id, id, ${now}::timestamptz, 0 from assets where tenant_id = ${tenantId}`);
}
