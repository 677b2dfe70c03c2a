import type { Feature } from '../feature.ts';
import { failedJobRetention, idempotencyRetention, vacuumEmbedded } from './jobs.ts';
import { NOT_READY, routes } from './routes.ts';

/** Health, metrics, the API's own description, and housekeeping. */
export const operations: Feature = {
  name: 'operations',
  routes,
  jobs: [vacuumEmbedded],
  retentions: [idempotencyRetention, failedJobRetention],
  errors: [NOT_READY],
};
