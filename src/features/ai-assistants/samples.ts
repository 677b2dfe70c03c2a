import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../test/contract/samples.ts';

const body = {
  name: 'Helper',
  description: 'Answers.',
  llmConfiguration: { system: 'Answer.', temperature: 0.5, model: 'llm-3-haiku-20240307', max_tokens: 100 },
};

/** An assistant of the tenant of the samples. */
export const assistant: Sample = {
  make: async ({ tenant }) => (await tenant.api.post('/api/ai/assistants', body)).body.id,
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(assistant) });

export const samples: FeatureSamples = {
  records: [assistant],
  requests: {
    'ai_assistants.create': () => ({ body }),
    'ai_assistants.list': () => ({ query: { page: '1', limit: '10' } }),
    'ai_assistants.get': (name) => ({ params: params(name) }),
    'ai_assistants.replace': (name) => ({ params: params(name), body }),
    'ai_assistants.delete': (name) => ({ params: params(name) }),
  },
};
