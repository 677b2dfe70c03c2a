import { body, type FeatureExamples } from '../../../http/examples.ts';
import { ConversationBody, EngageBody } from './schema.ts';

export const examples: FeatureExamples = {
  records: { conversation_token: {} },
  requests: {
    'ai_conversations.engage': body(EngageBody)((name) => ({
      key: 'visitor-17',
      payload: { assistant_id: name('assistant'), page: '/tickets' },
    })),
    'ai_conversations.say': {
      headers: (name) => ({ authorization: `Bearer ${name('conversation_token')}` }),
      ...body(ConversationBody)({ message: 'When does the next train leave for Vienna?' }),
    },
  },
};
