import { randomUUID } from 'node:crypto';
import type { FeatureSamples } from '../../../../test/contract/samples.ts';

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'outbox.list': () => ({ query: { to: 'ada@example.com', page: '1', limit: '10' } }),
    'outbox.get': () => ({ params: { id: randomUUID() } }),
    'outbox.raw': () => ({ params: { id: randomUUID() } }),
  },
};
