import { randomUUID } from 'node:crypto';
import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';
import { createTenant } from '../../../../test/harness/test-app.ts';

const newTenant = () => ({
  code: `t${randomUUID().slice(0, 8)}`,
  name: 'Tenant',
  owner: { email: `o${randomUUID()}@example.com`, name: 'Owner', password: 'correct horse battery' },
});

/** Another tenant, which may be reset. */
export const tenant: Sample = {
  make: async ({ tenant: { operator } }) => (await createTenant(operator.url, operator)).code,
  absent: () => 'nobody',
};

/** Another tenant, which may be deleted. */
const doomedTenant: Sample = { ...tenant };

export const samples: FeatureSamples = {
  records: [tenant, doomedTenant],
  requests: {
    'tenants.create': () => ({ body: newTenant() }),
    'tenants.list': () => ({ query: { page: '1', limit: '10' } }),
    'tenants.update': (name) => ({ params: { code: name(tenant) }, body: { name: 'Renamed' } }),
    'tenants.delete': (name) => ({
      params: { code: name(doomedTenant) },
      body: { confirm: name(doomedTenant) },
    }),
    'tenants.reset': (name) => ({ params: { code: name(tenant) }, body: { confirm: name(tenant) } }),
  },
};
