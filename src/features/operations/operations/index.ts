import { sealedResponses } from '../../../http/idempotency.ts';
import { bucketRetention } from '../../../stored-bytes/queries.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { failedJobRetention, idempotencyRetention, vacuumEmbedded } from './jobs.ts';
import { pageRoutes } from './page-routes.ts';
import { NOT_READY, routes } from './routes.ts';
import { registerStoredBytesGauge } from './stored-bytes-gauge.ts';

export { probeDatabase } from './readiness.ts';

/** Health, metrics, the front page, the API description and housekeeping. */
export const operations: Feature = {
  name: 'operations',
  examples,
  tags: { Operations: 'Front page, health, metrics and this document.' },
  routes: [...routes, ...pageRoutes],
  jobs: [vacuumEmbedded],
  retentions: [idempotencyRetention, failedJobRetention, bucketRetention],
  sealed: [sealedResponses],
  errors: [NOT_READY],
  start: registerStoredBytesGauge,
};
