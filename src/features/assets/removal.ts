/**
 * Removal of files that no asset needs. A row of `asset_removals` exists for an upload from before its first byte is stored
 * until the asset is created, and for an asset from its deletion on. Files are removed twice, an hour apart, because a
 * request may still write a variant when the asset is deleted.
 */
import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { folderOfAsset } from './addresses.ts';
import {
  beginRemovals,
  deleteRemoval,
  deleteUnbegunRemoval,
  insertRemoval,
  listTenantsToSweep,
} from './queries.ts';

/** Longer than any request that writes files of an asset, which may take five minutes. */
const HOUR_MS = 60 * 60 * 1000;
const ATTEMPTS = 2;
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
    const { rows, failure } = await listTenantsToSweep(all, now);
    for (const { tenant_id } of rows) await removeDue(platform, tenant_id);
    if (failure !== undefined) throw failure;
  },
});

/** Schedules the removal of the files of an upload that begins. `retainFiles` cancels it when the asset is created. */
export function expectFiles(db: ScopedDb, assetId: string, now: Date): Promise<void> {
  return insertRemoval(db, assetId, new Date(now.getTime() + HOUR_MS));
}

/** Cancels the removal after the asset is created. @throws Error if the upload took so long that its files may be gone. */
export async function retainFiles(tx: ScopedDb, assetId: string): Promise<void> {
  if (!(await deleteUnbegunRemoval(tx, assetId)))
    throw new Error('The files of an upload have been removed.');
}

/** Removes the files of a failed upload. */
export async function dropFiles({ storage }: Platform, db: ScopedDb, assetId: string): Promise<void> {
  await storage.removeFolder(folderOfAsset(db.tenantId, assetId));
  await deleteRemoval(db, assetId);
}

/** Schedules the removal of a deleted asset's files for when the transaction commits. */
export async function removeFilesOf(
  platform: Platform,
  tx: ScopedDb,
  assetId: string,
  now: Date,
): Promise<void> {
  await insertRemoval(tx, assetId, now);
  await platform.jobs.enqueue(tx, removeFiles, { tenantId: tx.tenantId });
}

/**
 * Deletes drafts of uploads that a killed process has left behind: all of them on the embedded database, where no other
 * process uses the data folder, otherwise those older than an hour.
 */
export async function removeLeftDrafts({ storage, config, clock }: Platform): Promise<void> {
  const now = clock();
  await storage.removeDrafts(config.databaseUrl === null ? now : hourBefore(now));
}

async function removeDue(platform: Platform, tenantId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  for (;;) {
    const now = platform.clock();
    const again = new Date(now.getTime() + HOUR_MS);
    const begun = await beginRemovals(db, { now, again, limit: BATCH_SIZE });
    for (const { asset_id, attempts } of begun) {
      await platform.storage.removeFolder(folderOfAsset(tenantId, asset_id));
      if (attempts >= ATTEMPTS) await deleteRemoval(db, asset_id);
    }
    if (begun.length < BATCH_SIZE) return;
  }
}

function hourBefore(time: Date): Date {
  return new Date(time.getTime() - HOUR_MS);
}
