import Type from 'typebox';
import { defineJob, type Job } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { REPORT_TYPES, type Report, ReportRefusal, type ReportType } from '../../reports/report.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { eraseFiles } from './erasure.ts';
import { writeExport } from './export-writer.ts';
import { listExportsWithFile } from './queries.ts';
import { removeOldExports } from './retention.ts';

const Id = Type.String();

/** Creates the job that writes these reports. */
export function writeExportJob(reports: ReadonlyMap<string, Report>): Job {
  const findReport = (type: string) => {
    const report = reports.get(type);
    if (report === undefined) throw new ReportRefusal(`${type} cannot be exported.`);
    return report;
  };
  return defineJob({
    name: 'reports.write-export',
    payload: Type.Object({ tenantId: Id, exportId: Id }),
    timeoutSeconds: 3600,
    run: (platform, payload) => writeExport(platform, findReport, payload),
  });
}

/** Deletes files and mails that contain data that was erased later. */
export const eraseFilesJob = defineJob({
  name: 'reports.forget-files',
  payload: Type.Object({ tenantId: Id, type: Type.Enum([...REPORT_TYPES]) }),
  timeoutSeconds: 3600,
  run: eraseFiles,
});

/** Deletes exports with expired links. */
export const removeOldJob = defineJob({
  name: 'reports.remove-old',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '29 * * * *',
  run: removeOldExports,
});

/** Enqueues the deletion of files and mails with records of a type. Called by transactions that erase such records. */
export async function eraseExports(platform: Platform, tx: ScopedDb, type: ReportType): Promise<void> {
  if ((await listExportsWithFile(tx, type)).length === 0) return;
  await platform.jobs.enqueue(tx, eraseFilesJob, { tenantId: tx.tenantId, type });
}
