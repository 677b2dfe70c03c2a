import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../test/contract/samples.ts';

const body = (name: string) => ({
  name,
  contentsDescription: 'Samples',
  metadataDefinition: [{ fieldName: 'kind', fieldType: 'string' }],
});
const data = [{ id: 'one', input: 'Good morning', metadata: { kind: 'greeting' } }];

/** An index with a text. */
export const vectorIndex: Sample = {
  make: async ({ tenant }) => {
    const { name } = (await tenant.api.post('/api/ai/indexes', body(`samples-${randomUUID()}`))).body;
    await tenant.api.post(`/api/ai/indexes/${name}/upsert`, { data });
    return name;
  },
  absent: () => `samples-${randomUUID()}`,
};

const params = (name: NameOf) => ({ name: name(vectorIndex) });

export const samples: FeatureSamples = {
  records: [vectorIndex],
  requests: {
    'ai_indexes.create': () => ({ body: body('made') }),
    'ai_indexes.list': () => ({ query: { page: '1', limit: '10' } }),
    'ai_indexes.get': (name) => ({ params: params(name) }),
    'ai_indexes.delete': (name) => ({ params: params(name) }),
    'ai_indexes.upsert': (name) => ({ params: params(name), body: { data } }),
    'ai_indexes.query': (name) => ({
      params: params(name),
      body: { input: 'morning', filter: { kind: 'greeting' } },
    }),
    'ai_indexes.delete_items': (name) => ({ params: params(name), body: { ids: ['one'] } }),
  },
};
