import type { Report } from '../../reports/report.ts';
import type { Feature } from '../feature.ts';
import { forgetFilesJob, removeOldJob, writeExportJob } from './jobs.ts';
import { reference } from './reference.ts';
import { reportRoutes } from './routes.ts';

export { forgetExports } from './jobs.ts';

/** Exports of the kinds that features declare. @throws Error if two features declare the same kind. */
export function reports(declared: readonly Report[]): Feature {
  const byType = new Map(declared.map((report) => [report.type, report]));
  if (byType.size < declared.length) throw new Error('Two features export the same kind of report.');
  const writeJob = writeExportJob(byType);
  return {
    name: 'reports',
    reference,
    routes: reportRoutes(byType, writeJob),
    jobs: [writeJob, forgetFilesJob, removeOldJob],
  };
}
