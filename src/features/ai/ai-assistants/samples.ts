import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { unit } from '../../tenancy/business-units/samples.ts';

const body = (name: NameOf) => ({
  business_unit: name(unit),
  name: 'Helper',
  description: 'Answers.',
  llmConfiguration: { system: 'Answer.', temperature: 0.5, model: 'llm-3-haiku-20240307', max_tokens: 100 },
});

/** An assistant of the samples' unit. */
export const assistant: Sample = {
  needs: [unit],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/ai/assistants', body(name))).body.id,
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(assistant) });

export const samples: FeatureSamples = {
  records: [assistant],
  requests: {
    'ai_assistants.create': (name) => ({ body: body(name) }),
    'ai_assistants.list': (name) => ({ query: { page: '1', limit: '10', business_unit: name(unit) } }),
    'ai_assistants.get': (name) => ({ params: params(name) }),
    'ai_assistants.replace': (name) => ({ params: params(name), body: body(name) }),
    'ai_assistants.delete': (name) => ({ params: params(name) }),
  },
};
