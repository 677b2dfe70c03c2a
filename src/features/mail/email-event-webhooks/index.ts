import type { Feature } from '../../feature.ts';
import { emailEventDeliveries } from './delivery.ts';
import { eventDeliveries } from './delivery-source.ts';
import { examples } from './examples.ts';
import { eventDeliveryRetention } from './retention.ts';
import { routes } from './routes.ts';

export { emailEventDeliveries } from './delivery.ts';

/** Sends message events to the event webhooks of the email settings. */
export const emailEventWebhooks: Feature = {
  name: 'email-event-webhooks',
  examples,
  routes,
  retentions: [eventDeliveryRetention],
  workQueues: [emailEventDeliveries],
  deliverySources: [eventDeliveries],
};
