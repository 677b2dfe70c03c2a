import { resourceReport } from '../../../reports/resource-report.ts';
import { subscribers } from './resource.ts';
import { additionalFilters } from './service.ts';

/** Export of subscribers, with a column for each additional field (docs/specification/reports.md#file). */
export const subscriberReport = resourceReport(subscribers, {
  type: 'subscribers',
  date: { field: 'created_at', type: 'time' },
  spread: { field: 'additional_fields_data', prefix: 'additional_fields' },
  fields: (db, filters) => additionalFilters({ db }, filters),
});
