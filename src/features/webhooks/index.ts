import type { Feature } from '../feature.ts';
import { webhookDeliveries } from './delivery.ts';
import { deliveryLogRetention, dropWaitingDeliveries, removeDeliveryLog } from './jobs.ts';
import { routes } from './routes.ts';

export { webhookDeliveries } from './delivery.ts';
export { type DeliverableSubmission, insertDeliveries } from './queries.ts';

/** Webhooks for form submissions, and their deliveries. */
export const webhooks: Feature = {
  name: 'webhooks',
  routes,
  jobs: [dropWaitingDeliveries, removeDeliveryLog],
  retentions: [deliveryLogRetention],
  ledgers: [webhookDeliveries],
};
