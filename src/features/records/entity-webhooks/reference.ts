import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its group is about, and a body to begin with. */
export const reference: ReferenceTexts = {
  tags: { 'Record webhooks': 'Receivers that are told when records are created, updated or deleted.' },
  examples: {
    'entity_webhooks.create': {
      url: 'https://hooks.acme.example/orders',
      events: ['order.created', 'order.updated'],
      secret: 'a long secret that only the receiver knows',
    },
  },
};
