/** Removes erased data from exports: deletes the files that may contain it, and the mails with these files. */
import type { Platform } from '../../platform.ts';
import type { ReportType } from '../../reports/report.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { deleteTransmissions, findPlatformMailState } from '../mail/api.ts';
import { deleteFile, failMail, listExportsWithFile, restartExport } from './queries.ts';

const ERASED = 'Data in the export was erased before it was sent. Request it again.';

/** Deletes the files of all exports of a type. Exports that are running restart. */
export async function eraseFiles(
  platform: Platform,
  { tenantId, type }: { readonly tenantId: string; readonly type: ReportType },
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  for (const id of await listExportsWithFile(db, type)) await db.transaction((tx) => eraseFile(tx, id));
}

/** Deletes the file of an export. A running export restarts, because it may have read the erased data. */
async function eraseFile(tx: ScopedDb, id: string): Promise<void> {
  if ((await restartExport(tx, id)) || !(await deleteFile(tx, id))) return;
  const mail = await findPlatformMailState(tx, id);
  if (mail?.status === 'queued') await failMail(tx, id, ERASED);
  await deleteTransmissions(tx, [id]);
}
