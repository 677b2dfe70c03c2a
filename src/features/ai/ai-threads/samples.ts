import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { assistant } from '../ai-assistants/samples.ts';

const body = (name: NameOf, version = 0) => ({
  version,
  created_at: '2026-01-01T00:00:00.000Z',
  assistant_id: name(assistant),
  user_id: 'someone',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Good morning' }] }],
});

/** A thread with the assistant of the samples. */
export const thread: Sample = {
  needs: [assistant],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/ai/threads', body(name))).body.id,
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(thread) });

export const samples: FeatureSamples = {
  records: [thread],
  requests: {
    'ai_threads.create': (name) => ({ body: body(name) }),
    'ai_threads.list': () => ({ query: { user_id: 'someone' } }),
    'ai_threads.get': (name) => ({ params: params(name) }),
    'ai_threads.replace': (name) => ({
      params: params(name),
      body: { version: 0, messages: body(name).messages },
    }),
    'ai_threads.delete': (name) => ({ params: params(name) }),
  },
};
