import type { Report } from '../../reports/report.ts';
import type { Feature } from '../feature.ts';
import { examples } from './examples.ts';
import { eraseFilesJob, removeOldJob, writeExportJob } from './jobs.ts';
import { exportOperation } from './operation.ts';
import { reportRoutes } from './routes.ts';

export { eraseExports } from './jobs.ts';

/** Creates the feature for exports of these reports. @throws Error if two of them have the same type. */
export function reports(declared: readonly Report[]): Feature {
  const byType = new Map(declared.map((report) => [report.type, report]));
  if (byType.size < declared.length) throw new Error('Two features declare a report of the same type.');
  const writeJob = writeExportJob(byType);
  return {
    name: 'reports',
    examples,
    tags: { Reports: 'CSV exports of records, sent by mail.' },
    routes: reportRoutes(byType, writeJob),
    operations: [exportOperation],
    jobs: [writeJob, eraseFilesJob, removeOldJob],
  };
}
