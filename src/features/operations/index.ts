import type { Feature } from '../feature.ts';
import { idempotencyRetention, vacuumEmbedded } from './jobs.ts';
import { NOT_READY, routes } from './routes.ts';

/** Health, metrics, the API's own description, and housekeeping. */
export const operations: Feature = {
  name: 'operations',
  routes,
  jobs: [vacuumEmbedded],
  retentions: [idempotencyRetention],
  errors: [NOT_READY],
};
