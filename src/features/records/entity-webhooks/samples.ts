import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { signIn } from '../../../../test/harness/members.ts';
import { receiver } from '../../forms/webhooks/samples.ts';
import { entity } from '../entities/samples.ts';

const body = (name: NameOf) => ({
  url: name(receiver),
  events: [`${name(entity)}.created`],
  secret: 'secret',
});

const webhook: Sample = {
  needs: [entity, receiver],
  make: async ({ tenant, name }) => {
    const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
    return (await bearer.post('/api/webhooks', body(name))).body.id;
  },
  absent: randomUUID,
};

/** A change that the webhook receives. */
const change: Sample = {
  needs: [webhook],
  make: async ({ tenant, name }) => {
    const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
    return (await bearer.post(`/api/${name(entity)}`, { title: 'Heard of' })).body.id;
  },
};

export const samples: FeatureSamples = {
  records: [webhook, change],
  requests: {
    'entity_webhooks.create': (name) => ({ body: body(name) }),
    'entity_webhooks.delete': (name) => ({ params: { id: name(webhook) } }),
  },
};
