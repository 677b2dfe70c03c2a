import type { ReferenceTexts } from '../../feature.ts';

const question = {
  role: 'user',
  content: [{ type: 'text', text: 'When does the next train leave for Vienna?' }],
};

/** Reference texts: example bodies. */
export const reference: ReferenceTexts = {
  examples: {
    'ai_threads.create': {
      version: 0,
      created_at: '2026-11-21T13:36:15.000Z',
      assistant_id: '0192f0c0-0000-7000-8000-000000000000',
      user_id: 'visitor-17',
      messages: [question],
    },
    'ai_threads.replace': { version: 0, messages: [question] },
  },
};
