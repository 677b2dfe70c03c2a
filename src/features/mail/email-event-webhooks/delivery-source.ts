import { isDefaultAdmin, readsShared } from '../../../resources/ownership.ts';
import type { DeliverySource } from '../../../work-queue/delivery-source.ts';
import { listNamedEventWebhooks } from '../../email-settings/api.ts';
import { emailEventDeliveries } from './delivery.ts';

/** Deliveries of message events, visible like the email settings. */
export const eventDeliveries: DeliverySource = {
  kind: 'email_event',
  queue: emailEventDeliveries,
  subject: 'event_id',
  reach: (caller) => (readsShared(caller) ? 'all' : 'none'),
  listWebhooks: ({ db }, ids) => listNamedEventWebhooks(db, ids),
  mayRedeliver: isDefaultAdmin,
};
