/**
 * Files go after their rows. What the storage may have and nobody needs is a row of `asset_removals`: of an upload since before its
 * first byte is kept, until it has ended well; of an asset since it was deleted. Files of an asset are removed twice, an hour
 * apart: another size may have been in the making when it was deleted.
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

/** Longer than anything writes to the files of one asset: a request may take five minutes. */
const HOUR_MS = 60 * 60 * 1000;
const ATTEMPTS = 2;
const AT_ONCE = 100;

/** Removes what is due of a tenant. */
export const removeFiles = defineJob({
  name: 'assets.remove-files',
  payload: Type.Object({ tenantId: Type.String() }),
  timeoutSeconds: 900,
  run: (platform, { tenantId }) => removeDue(platform, tenantId),
});

/** Removes what is due of all tenants, and drafts of uploads that broke off. */
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

/** Notes that an upload begins: unless it ends well, its files go. */
export function expectFiles(db: ScopedDb, assetId: string, now: Date): Promise<void> {
  return insertRemoval(db, assetId, new Date(now.getTime() + HOUR_MS));
}

/** Notes that an upload has ended well. @throws Error when it took so long that its files may be gone. */
export async function keepFiles(tx: ScopedDb, assetId: string): Promise<void> {
  if (!(await deleteUnbegunRemoval(tx, assetId)))
    throw new Error('The files of an upload have been removed.');
}

/** Removes what an upload has left. */
export async function dropFiles({ storage }: Platform, db: ScopedDb, assetId: string): Promise<void> {
  await storage.removeFolder(folderOfAsset(db.tenantId, assetId));
  await deleteRemoval(db, assetId);
}

/** Has the files of a deleted asset removed, as soon as the transaction commits. */
export async function removeFilesOf(
  platform: Platform,
  tx: ScopedDb,
  assetId: string,
  now: Date,
): Promise<void> {
  await insertRemoval(tx, assetId, now);
  await platform.jobs.enqueue(tx, removeFiles, { tenantId: tx.tenantId });
}

/** Drafts of uploads that a killed process has left. A data folder with the embedded database belongs to this process alone. */
export async function removeLeftDrafts({ storage, config, clock }: Platform): Promise<void> {
  const now = clock();
  await storage.removeDrafts(config.databaseUrl === null ? now : hourBefore(now));
}

async function removeDue(platform: Platform, tenantId: string): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  for (;;) {
    const now = platform.clock();
    const again = new Date(now.getTime() + HOUR_MS);
    const begun = await beginRemovals(db, { now, again, limit: AT_ONCE });
    for (const { asset_id, attempts } of begun) {
      await platform.storage.removeFolder(folderOfAsset(tenantId, asset_id));
      if (attempts >= ATTEMPTS) await deleteRemoval(db, asset_id);
    }
    if (begun.length < AT_ONCE) return;
  }
}

function hourBefore(moment: Date): Date {
  return new Date(moment.getTime() - HOUR_MS);
}
