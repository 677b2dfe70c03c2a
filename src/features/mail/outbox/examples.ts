import { randomUUID } from 'node:crypto';
import type { FeatureExamples } from '../../../http/examples.ts';

export const examples: FeatureExamples = {
  requests: {
    'outbox.list': { query: { to: 'ada@example.com' } },
    'outbox.get': { params: () => ({ id: randomUUID() }) },
    'outbox.raw': { params: () => ({ id: randomUUID() }) },
  },
};
