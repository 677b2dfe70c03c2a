/**
 * Removal of files without an asset. An upload has a row in `asset_removals` from before its first byte is stored until
 * its asset is created. A deleted asset has a row until its files are removed. Files are removed twice, an hour apart,
 * because a request may still write a variant when the asset is deleted.
 */
import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { folderOfAsset } from './addresses.ts';
import {
  cancelRemoval,
  deleteRemoval,
  insertRemoval,
  listTenantsWithDueRemovals,
  startRemovals,
} from './queries.ts';

/**
 * Wait before the removal, in ms. Longer than any request that writes files of an asset, which may take five minutes.
 */
const HOUR_MS = 60 * 60 * 1000;
/** Number of times that the files of an asset are removed. */
const REMOVALS = 2;
const BATCH_SIZE = 100;

/** Runs the due removals of a tenant. */
export const removeFiles = defineJob({
  name: 'assets.remove-files',
  payload: Type.Object({ tenantId: Type.String() }),
  timeoutSeconds: 900,
  run: (platform, { tenantId }) => removeDue(platform, tenantId),
});

/** Runs the due removals of all tenants, and deletes drafts of aborted uploads. */
export const sweepFiles = defineJob({
  name: 'assets.sweep-files',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '41 * * * *',
  run: async (platform) => {
    const now = platform.clock();
    await platform.storage.removeDrafts(hourBefore(now));
    const all = platform.database.everyTenant('asset-removals');
    const { rows, failure } = await listTenantsWithDueRemovals(all, now);
    for (const { tenant_id } of rows) await removeDue(platform, tenant_id);
    if (failure !== undefined) throw failure;
  },
});

/**
 * Schedules the removal of an upload's files when the upload starts. `retainFiles` cancels it when the asset is
 * created.
 */
export function scheduleUploadRemoval(db: ScopedDb, assetId: string, now: Date): Promise<void> {
  return insertRemoval(db, assetId, new Date(now.getTime() + HOUR_MS));
}

/** Cancels the removal of a created asset's files. @throws Error if the removal has already started. */
export async function retainFiles(tx: ScopedDb, assetId: string): Promise<void> {
  if (!(await cancelRemoval(tx, assetId))) throw new Error('The files of an upload have been removed.');
}

/** Removes the files of a failed upload at once. */
export async function removeUploadedFiles(
  { storage }: Platform,
  db: ScopedDb,
  assetId: string,
): Promise<void> {
  await storage.removeFolder(folderOfAsset(db.tenantId, assetId));
  await deleteRemoval(db, assetId);
}

/** Enqueues the removal of a deleted asset's files, which starts after the commit. */
export async function enqueueRemoval(
  platform: Platform,
  tx: ScopedDb,
  assetId: string,
  now: Date,
): Promise<void> {
  await insertRemoval(tx, assetId, now);
  await platform.jobs.enqueue(tx, removeFiles, { tenantId: tx.tenantId });
}

/**
 * Deletes drafts of uploads that a killed process has left: with the embedded database all drafts, because no other
 * process uses the data folder, otherwise those older than an hour.
 */
export async function removeAbandonedDrafts({ storage, config, clock }: Platform): Promise<void> {
  const now = clock();
  await storage.removeDrafts(config.databaseUrl === null ? now : hourBefore(now));
}

async function removeDue(platform: Platform, tenantId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  for (;;) {
    const now = platform.clock();
    const retryAt = new Date(now.getTime() + HOUR_MS);
    const started = await startRemovals(db, { now, retryAt, limit: BATCH_SIZE });
    for (const { asset_id, attempts } of started) {
      await platform.storage.removeFolder(folderOfAsset(tenantId, asset_id));
      if (attempts >= REMOVALS) await deleteRemoval(db, asset_id);
    }
    if (started.length < BATCH_SIZE) return;
  }
}

function hourBefore(time: Date): Date {
  return new Date(time.getTime() - HOUR_MS);
}
