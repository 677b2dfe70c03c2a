/**
 * Writes an export. The rows of one database snapshot are written as parts of a file. Then one transaction completes the
 * export and queues its mail, so that only one of several attempts sends mail.
 */
import { momentOfId } from '../../db/time-ordered-id.ts';
import type { Platform } from '../../platform.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../reports/csv.ts';
import { type Report, ReportRefusal } from '../../reports/report.ts';
import { EXPORT_FILES } from '../../stored-bytes/kinds.ts';
import { hasStorageQuota } from '../../stored-bytes/storage-quota.ts';
import { storedBytes } from '../../stored-bytes/stored-bytes.ts';
import { findCallerByMembership } from '../../tenancy/find-member-caller.ts';
import { scopeOf, type Units, wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { acceptOwnMail, type DefaultSender, findDefaultSender } from '../mail/api.ts';
import { FileWriter } from './file.ts';
import { type WrittenFile, writeMail } from './mail.ts';
import { beginExport, deleteParts, type ExportEnd, endExport } from './queries.ts';
import type { ExportRow } from './tables.ts';

/** Maximum number of attempts after internal errors; then the export fails. */
const MAX_ATTEMPTS = 5;
const NO_ROOM =
  "The files of earlier exports have used up the tenant's quota. They are deleted after 8 days.";
const INTERNAL_ERROR = 'The export failed because of an internal error. Try again.';

/** Returns the report of a kind. @throws ReportRefusal for an unknown kind. */
export type FindReport = (type: string) => Report;

/**
 * Writes an export and sends its mail, unless that was done before. Starts again if exported data was erased meanwhile.
 * @throws errors after which the job tries again.
 */
export async function writeExport(
  platform: Platform,
  findReport: FindReport,
  { tenantId, exportId }: { readonly tenantId: string; readonly exportId: string },
): Promise<void> {
  const db = platform.scoped(wholeTenant(tenantId));
  let asked = await beginExport(db, exportId, ['queued', 'running']);
  while (asked !== undefined) {
    try {
      if (await writeAndMail(platform, db, findReport(asked.report_type), asked)) return;
    } catch (error) {
      return giveUp(platform, db, asked, error);
    }
    await deleteParts(db, asked);
    // Only if no other process has started it; otherwise both would restart it forever.
    asked = await beginExport(db, exportId, ['queued']);
  }
}

/** Fails the export after the last attempt. @throws the error if another attempt follows. */
async function giveUp(platform: Platform, db: ScopedDb, asked: ExportRow, error: unknown): Promise<void> {
  const isRefused = error instanceof ReportRefusal;
  if (!isRefused && asked.attempts < MAX_ATTEMPTS) throw error;
  if (!isRefused) platform.observe({ event: 'background.failed', task: 'write an export', error });
  const message = isRefused ? error.message : INTERNAL_ERROR;
  const end: ExportEnd = { status: 'failed', rows: null, file_bytes: null, error: message };
  await endExport(db, asked, end, platform.clock());
  await deleteParts(db, asked);
}

/** Runs one attempt; returns false if it is no longer the latest. */
async function writeAndMail(
  platform: Platform,
  db: ScopedDb,
  report: Report,
  asked: ExportRow,
): Promise<boolean> {
  const { id, attempts } = asked;
  // Checked again: other exports may have filled the space since this one was accepted.
  if (!(await hasStorageQuota(platform, db, EXPORT_FILES))) throw new ReportRefusal(NO_ROOM);
  // A killed process may have left parts behind.
  await deleteParts(db, { id, attempts: attempts - 1 });
  const sender = (await findDefaultSender(db)) ?? sandboxSender(platform);
  const reader = platform.scoped({ ...db.scope, read: await readableNow(db, asked) });
  const file = await reader.snapshot((rows) => writeFile(db, rows, report, asked));
  const mail = await writeMail(platform, db, asked, file, sender);
  const end: ExportEnd = { status: 'mailed', rows: file.rows, file_bytes: file.bytes, error: null };
  return db.transaction(async (tx) => {
    const now = platform.clock();
    const isLatest = await endExport(tx, asked, end, now);
    if (isLatest) await acceptOwnMail(tx, { platform, now }, mail);
    if (isLatest)
      tx.afterCommit(() => storedBytes(platform).add(tx.tenantId, EXPORT_FILES, file.bytes, momentOfId(id)));
    return isLatest;
  });
}

/**
 * Returns the units of the export that its requester can still read.
 * @throws ReportRefusal if the requester is no longer a member.
 */
async function readableNow(db: ScopedDb, { membership_id, unit_ids: asked }: ExportRow): Promise<Units> {
  const caller = await findCallerByMembership(db, membership_id);
  if (caller === null)
    throw new ReportRefusal('The user who requested the export is no longer an active member.');
  const { read } = scopeOf(caller);
  if (asked === null || read === 'all') return asked ?? read;
  return asked.filter((unit) => read.includes(unit));
}

/** Sender of an export while the tenant has no sending domain. */
function sandboxSender({ config }: Platform): DefaultSender {
  return { from: { address: `no-reply@${config.sandboxSendingDomain}` }, replyTo: null };
}

async function writeFile(
  db: ScopedDb,
  rows: ScopedDb,
  report: Report,
  asked: ExportRow,
): Promise<WrittenFile> {
  const { columns, pages } = await report.read(rows, asked.filters);
  const file = new FileWriter(db, asked);
  try {
    await file.add((asked.byte_order_mark ? BYTE_ORDER_MARK : '') + csvLine(columns));
    let count = 0;
    for await (const page of pages) {
      count += page.length;
      await file.add(page.map(csvLine).join(''));
    }
    return { rows: count, bytes: await file.end() };
  } finally {
    await file.settled();
  }
}
