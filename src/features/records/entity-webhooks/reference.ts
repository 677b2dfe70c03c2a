import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and an example body for the API reference. */
export const reference: ReferenceTexts = {
  tags: { 'Record webhooks': 'Notifications when records are created, updated or deleted.' },
  examples: {
    'entity_webhooks.create': {
      url: 'https://hooks.acme.example/orders',
      events: ['order.created', 'order.updated'],
      secret: 'a long secret that only the receiver knows',
    },
  },
};
