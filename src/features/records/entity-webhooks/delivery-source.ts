import type { DeliverySource } from '../../../work-queue/delivery-source.ts';
import { changeDeliveries } from './delivery.ts';
import { listNamedWebhooks } from './queries.ts';

/** Deliveries of record changes, visible to owners like their webhooks. */
export const recordDeliveries: DeliverySource = {
  kind: 'record',
  queue: changeDeliveries,
  subject: 'change_id',
  reach: ({ isTenantAdmin }) => (isTenantAdmin ? 'all' : 'none'),
  listWebhooks: ({ db }, ids) => listNamedWebhooks(db, ids),
  mayRedeliver: ({ isTenantAdmin }) => isTenantAdmin,
};
