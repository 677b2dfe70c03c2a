import type { Feature } from '../../feature.ts';
import { findFailingWebhooks } from './attention.ts';
import { changeDeliveries } from './delivery.ts';
import { recordDeliveries } from './delivery-source.ts';
import { examples } from './examples.ts';
import { changeDeliveryRetention, changeRetention } from './retention.ts';
import { routes } from './routes.ts';

export type { ChangeKind, Changes } from './queries.ts';
export { storeChanges } from './service.ts';
export { subscribedEvents } from './subscribed-events.ts';

/** Webhooks for changes of records. */
export const entityWebhooks: Feature = {
  name: 'entity-webhooks',
  examples,
  tags: { 'Record webhooks': 'Notifications when records are created, updated or deleted.' },
  routes,
  retentions: [changeDeliveryRetention, changeRetention],
  sealed: [
    {
      table: 'entity_webhooks',
      column: 'secret',
      type: 'text',
      key: { id: 'uuid' },
      sealedUnder: ({ id = '' }) => id,
    },
  ],
  workQueues: [changeDeliveries],
  deliverySources: [recordDeliveries],
  overview: { attention: [findFailingWebhooks] },
};
