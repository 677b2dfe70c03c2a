import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { tenant } from '../../operations/tenants/samples.ts';
import { membership } from '../memberships/samples.ts';

const body = (name: NameOf) => ({ name: 'Key', membership_id: name(membership) });

const key: Sample = {
  needs: [membership],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/client/v1/api-keys', body(name))).body.id,
  absent: randomUUID,
};

export const samples: FeatureSamples = {
  records: [key],
  requests: {
    'api_keys.list': () => ({ query: { limit: '5' } }),
    'api_keys.create': (name) => ({ body: body(name) }),
    'api_keys.create_for_tenant': (name) => ({ params: { code: name(tenant) }, body: { name: 'Key' } }),
    'api_keys.revoke': (name) => ({ params: { id: name(key) } }),
  },
};
