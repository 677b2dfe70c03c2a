import { type Insertable, sql } from 'kysely';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import type { Tables } from '../../db/tables.ts';
import type { ReportType } from '../../reports/report.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { ExportRow, StoredStatus } from './tables.ts';

/** Error of a cancelled export. */
export const CANCELLED = 'The export was cancelled.';

/** Columns of a new export. */
export type NewExport = Omit<
  Insertable<Tables['report_exports']>,
  'tenant_id' | 'status' | 'attempts' | 'rows' | 'file_bytes' | 'finished_at' | 'error'
>;

/** Inserts a new export as queued. */
export async function insertExport(tx: ScopedDb, accepted: NewExport): Promise<void> {
  const values = { ...accepted, tenant_id: tx.tenantId, status: 'queued' as const };
  await tx.query.insertInto('report_exports').values(values).execute();
}

/** Returns an export by its id. */
export function findExport(db: ScopedDb, id: string): Promise<ExportRow | undefined> {
  return db.query.selectFrom('report_exports').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Starts an attempt at an export with one of these statuses; returns undefined for other statuses or a deleted export.
 */
export function beginExport(
  db: ScopedDb,
  id: string,
  statuses: readonly StoredStatus[],
): Promise<ExportRow | undefined> {
  return db.query
    .updateTable('report_exports')
    .set({ status: 'running', attempts: sql<number>`attempts + 1` })
    .where('id', '=', id)
    .where('status', 'in', statuses)
    .returningAll()
    .executeTakeFirst();
}

/** The result of an export. */
export type ExportEnd = Pick<ExportRow, 'status' | 'rows' | 'file_bytes' | 'error'>;

/** An attempt at an export; `attempts` is its number. */
export type Attempt = Pick<ExportRow, 'id' | 'attempts'>;

/** Stores the result of this attempt; returns false if the export was restarted, must restart, or was deleted. */
export async function endExport(
  tx: ScopedDb,
  { id, attempts }: Attempt,
  end: ExportEnd,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('report_exports')
    .set({ ...end, finished_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends an export that is not mailed yet: its attempt is no longer the latest, so it sends no mail. */
export async function cancelExport(id: string, tx: ScopedDb): Promise<void> {
  await tx.query
    .updateTable('report_exports')
    .set({ status: 'failed', error: CANCELLED })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

/** True if an export has failed, such as one that was cancelled. */
export async function hasFailed(db: ScopedDb, id: string): Promise<boolean> {
  return (await findExport(db, id))?.status === 'failed';
}

/** Deletes the parts of attempts up to this one. */
export async function deleteParts(db: ScopedDb, { id, attempts }: Attempt): Promise<void> {
  await db.query
    .deleteFrom('report_parts')
    .where('export_id', '=', id)
    .where('attempt', '<=', attempts)
    .execute();
}

/** Inserts the next part of a file. */
export async function insertPart(
  tx: ScopedDb,
  part: Omit<Insertable<Tables['report_parts']>, 'tenant_id'>,
): Promise<void> {
  await tx.query
    .insertInto('report_parts')
    .values({ ...part, tenant_id: tx.tenantId })
    .execute();
}

/** Returns a part of an attempt's file by number; undefined after the last. */
export async function findPart(
  db: ScopedDb,
  { id, attempts }: Attempt,
  part: number,
): Promise<Buffer | undefined> {
  const found = await db.query
    .selectFrom('report_parts')
    .select('data')
    .where('export_id', '=', id)
    .where('attempt', '=', attempts)
    .where('part', '=', part)
    .executeTakeFirst();
  return found?.data;
}

/** Returns the exports of a type that have a file or are running. */
export async function listExportsWithFile(db: ScopedDb, type: ReportType): Promise<string[]> {
  const rows = await db.query
    .selectFrom('report_exports')
    .select('id')
    .where('report_type', '=', type)
    .where(({ eb, or }) => or([eb('status', '=', 'running'), eb('file_bytes', 'is not', null)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Queues a running export again; returns false if it is not running. */
export async function restartExport(tx: ScopedDb, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('report_exports')
    .set({ status: 'queued' })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the file of a completed export; returns false if there is none. */
export async function deleteFile(tx: ScopedDb, id: string): Promise<boolean> {
  const ended = await tx.query
    .updateTable('report_exports')
    .set({ file_bytes: null })
    .where('id', '=', id)
    .where('file_bytes', 'is not', null)
    .returning(['id', 'attempts'])
    .executeTakeFirst();
  if (ended === undefined) return false;
  await deleteParts(tx, ended);
  return true;
}

/** Records that the mail of an export will not be sent. */
export async function failMail(tx: ScopedDb, id: string, error: string): Promise<void> {
  await tx.query
    .updateTable('report_exports')
    .set({ status: 'failed', error })
    .where('id', '=', id)
    .execute();
}

/** Deletes an export with its file. */
export async function deleteExport(tx: ScopedDb, id: string): Promise<void> {
  await tx.query.deleteFrom('report_exports').where('id', '=', id).execute();
}

/** Returns up to `limit` exports of all tenants that were requested before a time. */
export function listExpired(all: EveryTenantDb, before: Date, limit: number) {
  return all.gather(
    (inTenants) => sql<{ tenant_id: string; id: string }>`
    select tenant_id, id from report_exports where created_at < ${before} and ${inTenants('tenant_id')} limit ${limit}`,
  );
}
