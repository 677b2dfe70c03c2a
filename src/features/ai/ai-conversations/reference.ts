import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: example bodies. */
export const reference: ReferenceTexts = {
  examples: {
    'ai_conversations.engage': {
      key: 'visitor-17',
      payload: { assistant_id: '0192f0c0-0000-7000-8000-000000000000', page: '/tickets' },
    },
    'ai_conversations.say': { message: 'When does the next train leave for Vienna?' },
  },
};
