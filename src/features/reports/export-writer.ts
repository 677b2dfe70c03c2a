/**
 * Writes an export. The rows of one database snapshot are written as parts of a file. Then one transaction completes
 * the export and queues its mail, so that only one of several attempts sends mail.
 */

import { momentOfId } from '../../db/time-ordered-id.ts';
import { reportProgress } from '../../long-operations/queries.ts';
import type { Platform } from '../../platform.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../reports/csv.ts';
import { type Report, ReportRefusal } from '../../reports/report.ts';
import { EXPORT_FILES } from '../../stored-bytes/kinds.ts';
import { hasStorageQuota } from '../../stored-bytes/storage-quota.ts';
import { storedBytes } from '../../stored-bytes/stored-bytes.ts';
import { findCallerByMembership } from '../../tenancy/find-member-caller.ts';
import { scopeOf, type Units, wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type DefaultSender, findDefaultSender } from '../email-settings/api.ts';
import { acceptPlatformMail } from '../mail/api.ts';
import { ExportFileWriter } from './file.ts';
import { buildMail, type WrittenFile } from './mail.ts';
import { beginExport, CANCELLED, deleteParts, type ExportEnd, endExport, hasFailed } from './queries.ts';
import type { ExportRow } from './tables.ts';

/** Maximum number of attempts after internal errors; then the export fails. */
const MAX_ATTEMPTS = 5;
const QUOTA_EXCEEDED =
  "The files of earlier exports have used up the tenant's quota. They are deleted after 8 days.";
const INTERNAL_ERROR = 'The export failed because of an internal error. Try again.';

/** Returns the report of a type. @throws ReportRefusal for an unknown type. */
export type FindReport = (type: string) => Report;

/**
 * Writes an export and sends its mail, unless that was done before. Starts again if exported data is erased while it
 * runs.
 * @throws errors after which the job tries again.
 */
export async function writeExport(
  platform: Platform,
  findReport: FindReport,
  { tenantId, exportId }: { readonly tenantId: string; readonly exportId: string },
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  let exportRow = await beginExport(db, exportId, ['queued', 'running']);
  while (exportRow !== undefined) {
    try {
      if (await writeAndMail(platform, db, findReport(exportRow.report_type), exportRow)) return;
    } catch (error) {
      return failAfterLastAttempt(platform, db, exportRow, error);
    }
    await deleteParts(db, exportRow);
    // Only if no other process has started the export; otherwise both would restart it forever.
    exportRow = await beginExport(db, exportId, ['queued']);
  }
}

/** Fails the export if this was its last attempt. @throws the error if another attempt follows. */
async function failAfterLastAttempt(
  platform: Platform,
  db: ScopedDb,
  exportRow: ExportRow,
  error: unknown,
): Promise<void> {
  const isRefused = error instanceof ReportRefusal;
  if (!isRefused && exportRow.attempts < MAX_ATTEMPTS) throw error;
  if (!isRefused) platform.observe({ event: 'background.failed', task: 'write an export', error });
  const message = isRefused ? error.message : INTERNAL_ERROR;
  const end: ExportEnd = { status: 'failed', rows: null, file_bytes: null, error: message };
  const now = platform.clock();
  await db.transaction(async (tx) => {
    if (await endExport(tx, exportRow, end, now))
      await reportProgress(tx, exportRow.id, { status: 'failed', error: message, finished_at: now });
  });
  await deleteParts(db, exportRow);
}

/** Runs one attempt. Returns false, without sending mail, if the export was restarted, must restart, or was deleted. */
async function writeAndMail(
  platform: Platform,
  db: ScopedDb,
  report: Report,
  exportRow: ExportRow,
): Promise<boolean> {
  const { id, attempts } = exportRow;
  // Checked again: other exports may have used up the quota since this one was accepted.
  if (!(await hasStorageQuota(platform, db, EXPORT_FILES))) throw new ReportRefusal(QUOTA_EXCEEDED);
  // A killed process may have left parts behind.
  await deleteParts(db, { id, attempts: attempts - 1 });
  const sender = (await findDefaultSender(db)) ?? sandboxSender(platform);
  const reader = platform.scoped({ ...db.scope, read: await findReadableUnits(db, exportRow) });
  const file = await reader.snapshot((snapshot) => writeFile(db, snapshot, report, exportRow));
  const mail = await buildMail(platform, db, exportRow, file, sender);
  const end: ExportEnd = { status: 'mailed', rows: file.rows, file_bytes: file.bytes, error: null };
  return db.transaction(async (tx) => {
    const now = platform.clock();
    const isLatest = await endExport(tx, exportRow, end, now);
    if (!isLatest) return false;
    await acceptPlatformMail(tx, { platform, now }, mail);
    await reportProgress(tx, id, { status: 'completed', done: file.rows, finished_at: now });
    tx.afterCommit(() => storedBytes(platform).add(tx.tenantId, EXPORT_FILES, file.bytes, momentOfId(id)));
    return true;
  });
}

/**
 * Returns the units of the export that its requester can still read.
 * @throws ReportRefusal if the requester is no longer a member.
 */
async function findReadableUnits(
  db: ScopedDb,
  { membership_id, unit_ids: unitIds }: ExportRow,
): Promise<Units> {
  const caller = await findCallerByMembership(db, membership_id);
  if (caller === null)
    throw new ReportRefusal('The user who requested the export is no longer an active member.');
  const { read } = scopeOf(caller);
  if (unitIds === null || read === 'all') return unitIds ?? read;
  return unitIds.filter((unit) => read.includes(unit));
}

/** Sender of an export while the tenant has no sending domain. */
function sandboxSender({ config }: Platform): DefaultSender {
  return { from: { address: `no-reply@${config.sandboxSendingDomain}` }, replyTo: null };
}

async function writeFile(
  db: ScopedDb,
  snapshot: ScopedDb,
  report: Report,
  exportRow: ExportRow,
): Promise<WrittenFile> {
  const { columns, pages } = await report.read(snapshot, exportRow.filters);
  const file = new ExportFileWriter(db, exportRow);
  try {
    await file.add((exportRow.byte_order_mark ? BYTE_ORDER_MARK : '') + csvLine(columns));
    let count = 0;
    for await (const page of pages) {
      await reportProgress(db, exportRow.id, { status: 'running', done: count });
      if (await hasFailed(db, exportRow.id)) throw new ReportRefusal(CANCELLED);
      count += page.length;
      await file.add(page.map(csvLine).join(''));
    }
    return { rows: count, bytes: await file.end() };
  } finally {
    await file.waitForStorage();
  }
}
