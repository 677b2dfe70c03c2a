import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { assistant } from '../ai-assistants/samples.ts';

const body = (name: NameOf) => ({ key: 'someone', payload: { assistant_id: name(assistant) } });

/** A token of a conversation. */
const token: Sample = {
  needs: [assistant],
  make: async ({ tenant, name }) =>
    (await tenant.api.post('/api/ai/engage-conversation', body(name))).body.token,
};

export const samples: FeatureSamples = {
  records: [token],
  requests: {
    'ai_conversations.engage': (name) => ({ body: body(name) }),
    'ai_conversations.say': (name) => ({
      headers: { authorization: `Bearer ${name(token)}` },
      body: { message: 'Good morning' },
    }),
  },
};
