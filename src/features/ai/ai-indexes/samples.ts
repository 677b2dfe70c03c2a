import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const body = (name: NameOf, index: string) => ({
  business_unit: name(unit),
  name: index,
  contentsDescription: 'Samples',
  metadataDefinition: [{ fieldName: 'kind', fieldType: 'string' }],
});
const data = [{ id: 'one', input: 'Good morning', metadata: { kind: 'greeting' } }];

/** An index with a text. */
export const vectorIndex: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => {
    const made = await tenant.api.post('/api/ai/indexes', body(name, `samples-${randomUUID()}`));
    await tenant.api.post(`/api/ai/indexes/${made.body.name}/upsert`, { data });
    return made.body.name;
  },
  absent: () => `samples-${randomUUID()}`,
};

const params = (name: NameOf) => ({ name: name(vectorIndex) });

export const samples: FeatureSamples = {
  records: [vectorIndex],
  requests: {
    'ai_indexes.create': (name) => ({ body: body(name, 'made') }),
    'ai_indexes.list': (name) => ({ query: { page: '1', limit: '10', business_unit: name(unit) } }),
    'ai_indexes.get': (name) => ({ params: params(name) }),
    'ai_indexes.delete': (name) => ({ params: params(name) }),
    'ai_indexes.upsert': (name) => ({ params: params(name), body: { data } }),
    'ai_indexes.query': (name) => ({
      params: params(name),
      body: { input: 'morning', filter: { kind: 'greeting' } },
    }),
    'ai_indexes.list_items': (name) => ({ params: params(name), query: { page: '1', limit: '5' } }),
    'ai_indexes.get_item': (name) => ({ params: { ...params(name), id: 'one' } }),
    'ai_indexes.delete_items': (name) => ({ params: params(name), body: { ids: ['one'] } }),
  },
};
