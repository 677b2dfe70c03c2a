import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';

const KEY = 'when_stock_changes';

/** An automation that handles a queue. */
const handler: Sample = {
  make: async ({ tenant }) => {
    await tenant.api.post('/api/automations', {
      key: KEY,
      name: 'When stock changes',
      app: 'shop',
      triggerType: 'mqHandler',
      triggerParams: { queueName: 'stock' },
    });
    return KEY;
  },
};

/** A message in a queue without a handler. */
const waiting: Sample = {
  make: async ({ tenant }) => {
    const sent = await tenant.api.post('/api/queues/nobody/messages', { body: { sku: 1 } }, 202);
    return sent.body.message_id;
  },
};

export const samples: FeatureSamples = {
  records: [handler, waiting],
  requests: {
    'queue_messages.publish': () => ({ params: { queueName: 'stock' }, body: { body: { sku: 1 } } }),
  },
};
