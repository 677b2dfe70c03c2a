import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';

const fields = [{ name: 'title', type: 'string', required: true }];

export const entity: Sample = {
  make: async ({ tenant }) => (await tenant.api.post('/api/entities', { name: 'book', fields })).body.name,
  absent: () => 'absent_entity',
};

const params = (name: NameOf) => ({ name: name(entity) });

export const samples: FeatureSamples = {
  records: [entity],
  requests: {
    'entities.create': () => ({ body: { name: 'author', fields } }),
    'entities.get': (name) => ({ params: params(name) }),
    'entities.replace': (name) => ({ params: params(name), body: { label: 'Replaced', fields } }),
    'entities.delete': (name) => ({ params: params(name), query: { drop: 'true' } }),
  },
};
