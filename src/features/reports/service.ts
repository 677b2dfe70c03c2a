import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../errors/platform-errors.ts';
import { check } from '../../http/body-checks.ts';
import type { MemberContext, RequestContext } from '../../http/context.ts';
import type { Job } from '../../jobs/jobs.ts';
import { trackOperation } from '../../long-operations/start-operation.ts';
import { isAddress, sendableAddress } from '../../mail/address.ts';
import { BYTE_ORDER_MARK } from '../../reports/csv.ts';
import { toConditions } from '../../reports/plain-filters.ts';
import type { Report, ReportFilters } from '../../reports/report.ts';
import { limitConditions } from '../../resources/filters.ts';
import { isUuid } from '../../resources/keys.ts';
import { EXPORT_FILES } from '../../stored-bytes/kinds.ts';
import { requireStorageQuota } from '../../stored-bytes/storage-quota.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findPlatformMailState } from '../mail/api.ts';
import { readFile } from './file.ts';
import { readLink } from './links.ts';
import { fileNameOf } from './mail.ts';
import { exportOperation } from './operation.ts';
import { findExport, insertExport } from './queries.ts';
import type { ExportBody, ExportProgress } from './schema.ts';
import type { ExportRow } from './tables.ts';

/** Rules of a body beyond its schema. */
export const EXPORT_CHECKS = [
  check<ExportBody>(['receiver_email'], ({ receiver_email }) =>
    isAddress(sendableAddress(receiver_email))
      ? []
      : [{ field: 'receiver_email', message: 'must be a valid email address' }],
  ),
];

/**
 * Returns the checked filters of an export.
 * @throws AppError INVALID_REQUEST naming each unknown filter.
 */
export async function checkExport(
  { db }: MemberContext,
  { report_type: type, filters }: ExportBody,
  reports: ReadonlyMap<string, Report>,
): Promise<ReportFilters> {
  const report = reports.get(type);
  if (report === undefined)
    throw invalidRequest([
      { field: 'report_type', message: `must be one of ${[...reports.keys()].join(', ')}` },
    ]);
  const conditions = toConditions(filters, report.date);
  limitConditions(conditions);
  await report.check(db, conditions);
  return conditions;
}

/**
 * Accepts an export of the records that the caller can read now. @throws AppError RATE_LIMITED when the tenant's quota
 * for files is used up.
 */
export async function acceptExport(
  ctx: MemberContext,
  body: ExportBody,
  conditions: ReportFilters,
  job: Job,
): Promise<{ messageId: string }> {
  const { platform, db, caller, client, now } = ctx;
  await requireStorageQuota(platform, db, EXPORT_FILES);
  const id = uuidv7();
  const { read } = db.scope;
  await insertExport(db, {
    id,
    created_at: now,
    membership_id: caller.membershipId,
    mail_bu_id: mailUnitOf(caller),
    receiver_email: sendableAddress(body.receiver_email),
    report_type: body.report_type,
    filters: JSON.stringify(conditions),
    byte_order_mark: body.byte_order_mark ?? (isBrowser(client) ? true : null),
    unit_ids: read === 'all' ? null : JSON.stringify(read),
  });
  await trackOperation(ctx, exportOperation, { id, title: body.report_type });
  await platform.jobs.enqueue(db, job, { tenantId: db.tenantId, exportId: id });
  return { messageId: id };
}

/** Returns the progress of an export. @throws AppError NOT_FOUND, also for an export of another caller. */
export async function getProgress(
  { platform, db, caller }: MemberContext,
  id: string,
): Promise<ExportProgress> {
  const found = isUuid(id) ? await findExport(db, id) : undefined;
  const isOwn = found?.membership_id === caller.membershipId || caller.isTenantAdmin;
  if (found === undefined || !isOwn) throw new AppError(NOT_FOUND);
  const { created_at, finished_at, rows } = found;
  // The mail may belong to a unit that the caller has left since.
  const status = await statusOf(platform.scoped(wholeTenant(db.tenantId)), found);
  return { messageId: id, ...status, rows, created_at, finished_at };
}

/** A file for download. */
export interface ExportDownload {
  readonly name: string;
  readonly bytes: number;
  /** Streamed while it is sent. */
  readonly content: Readable;
}

/** Returns the file of a link; null if the link is invalid or expired, or the file was deleted. */
export async function findLinkedFile(
  { platform, now, client }: RequestContext,
  token: string,
): Promise<ExportDownload | null> {
  const claims = readLink(platform, token, now);
  if (claims === null) return null;
  const db = platform.scoped(wholeTenant(claims.tenantId));
  const found = await findExport(db, claims.exportId);
  const bytes = found?.file_bytes ?? null;
  if (found === undefined || bytes === null) return null;
  const parts = readFile(db, { ...found, file_bytes: bytes });
  // Files downloaded by browsers are usually opened in a spreadsheet, which needs the mark.
  const mark = found.byte_order_mark === null && isBrowser(client) ? Buffer.from(BYTE_ORDER_MARK) : null;
  return {
    name: fileNameOf(found),
    bytes: bytes + (mark?.length ?? 0),
    content: Readable.from(mark === null ? parts : prepend(mark, parts), { objectMode: false }),
  };
}

async function* prepend(mark: Buffer, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield mark;
  yield* parts;
}

function isBrowser({ userAgent }: RequestContext['client']): boolean {
  return userAgent?.startsWith('Mozilla/') ?? false;
}

async function statusOf(
  db: ScopedDb,
  { id, status, error }: ExportRow,
): Promise<Pick<ExportProgress, 'status' | 'error'>> {
  if (status !== 'mailed') return { status, error };
  const mail = await findPlatformMailState(db, id);
  if (mail === null || mail.status === 'sent') return { status: 'sent', error: null };
  return { status: mail.status === 'queued' ? 'running' : 'failed', error: mail.error };
}

/** Returns the unit of the mail: the Active one, else Default, else any of the caller's. */
function mailUnitOf({ units, activeUnitId }: Caller): string {
  const unit = units.find(({ isDefault }) => isDefault) ?? units[0];
  if (unit === undefined) throw new Error('Exports require a business unit.');
  return activeUnitId ?? unit.buId;
}
