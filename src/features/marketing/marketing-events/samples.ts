import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { subscriberSample } from '../../contacts/subscribers/samples.ts';

const body = (name: NameOf) => ({
  events: [{ type: 'purchase', subscriber_id: name(subscriberSample), amount: 10 }],
});

/** A purchase of a subscriber. */
const purchase: Sample = {
  needs: [subscriberSample],
  make: async ({ tenant, name }) => {
    await tenant.api.post('/api/marketing_events', body(name));
    return randomUUID();
  },
};

export const samples: FeatureSamples = {
  records: [purchase],
  requests: {
    'marketing_events.create': (name) => ({ body: body(name) }),
    'marketing_events.query': () => ({ body: { from: '2020-01-01', to: '2030-01-01', group_by: 'type' } }),
  },
};
