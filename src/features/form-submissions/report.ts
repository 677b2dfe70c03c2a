import { resourceReport } from '../../reports/resource-report.ts';
import { submissions } from './resource.ts';

/** Submissions as their list shows them, each question a column (docs/specification/reports.md#file). */
export const submissionReport = resourceReport(submissions, {
  type: 'form_submissions',
  spread: { field: 'form_data', prefix: 'form_data' },
});
