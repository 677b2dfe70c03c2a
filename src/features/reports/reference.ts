import type { ReferenceTexts } from '../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { Reports: 'CSV exports of records, sent by mail.' },
  examples: {
    'reports.export': {
      receiver_email: 'ada@example.com',
      report_type: 'subscribers',
      output_format: 'csv',
      filters: { active: { operation: 'eq', value: true } },
    },
  },
};
