import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const body = (name: NameOf) => ({
  name: `snippet-${randomUUID()}`,
  content: '<hr>',
  business_unit: name(unit),
});

const snippet: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/template_snippets', body(name))).body.id,
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(snippet) });

export const samples: FeatureSamples = {
  records: [snippet],
  requests: {
    'template_snippets.create': (name) => ({ body: body(name) }),
    'template_snippets.list': () => ({ query: { search: 'snippet', page: '1', limit: '10' } }),
    'template_snippets.get': (name) => ({ params: params(name) }),
    'template_snippets.replace': (name) => ({ params: params(name), body: body(name) }),
    'template_snippets.delete': (name) => ({ params: params(name) }),
  },
};
