import Type from 'typebox';
import { defineJob, type Job } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { REPORT_TYPES, type Report, ReportRefusal, type ReportType } from '../../reports/report.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { forgetFiles } from './erasure.ts';
import { listWritten } from './queries.ts';
import { removeOldExports } from './retention.ts';
import { writeExport } from './write.ts';

const Id = Type.String();

/** Makes exports of these kinds. */
export function writeExportJob(reports: ReadonlyMap<string, Report>): Job {
  const findReport = (type: string) => {
    const report = reports.get(type);
    if (report === undefined) throw new ReportRefusal(`Nothing exports ${type} here.`);
    return report;
  };
  return defineJob({
    name: 'reports.write-export',
    payload: Type.Object({ tenantId: Id, exportId: Id }),
    timeoutSeconds: 3600,
    run: (platform, payload) => writeExport(platform, findReport, payload),
  });
}

/** Removes files and mails that hold what was erased since. */
export const forgetFilesJob = defineJob({
  name: 'reports.forget-files',
  payload: Type.Object({ tenantId: Id, type: Type.Enum([...REPORT_TYPES]) }),
  timeoutSeconds: 3600,
  run: forgetFiles,
});

/** Removes exports whose links are over. */
export const removeOldJob = defineJob({
  name: 'reports.remove-old',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '29 * * * *',
  run: removeOldExports,
});

/** Has files and mails removed that hold records of a kind which the open transaction erases. */
export async function forgetExports(platform: Platform, tx: ScopedDb, type: ReportType): Promise<void> {
  if ((await listWritten(tx, type)).length === 0) return;
  await platform.jobs.enqueue(tx, forgetFilesJob, { tenantId: tx.tenantId, type });
}
