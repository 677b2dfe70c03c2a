import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../http/examples.ts';
import { ExportBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: { written_export: { path: '/api/reports/export/{messageId}', absent: randomUUID } },
  requests: {
    'reports.export': body(ExportBody)({
      receiver_email: 'ada@example.com',
      report_type: 'subscribers',
      output_format: 'csv',
      filters: { active: { operation: 'eq', value: true } },
    }),
    // A link that a mail program has truncated.
    'reports.download': { params: { token: 'altered' } },
  },
};
