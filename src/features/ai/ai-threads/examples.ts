import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { ThreadCreate, ThreadReplace } from './schema.ts';

const messages: Static<typeof ThreadReplace>['messages'] = [
  { role: 'user', content: [{ type: 'text', text: 'When does the next train leave for Vienna?' }] },
];

export const examples: FeatureExamples = {
  records: { thread: { path: '/api/ai/threads/{id}', createdBy: 'ai_threads.create', absent: randomUUID } },
  requests: {
    'ai_threads.create': body(ThreadCreate)((name) => ({
      version: 0,
      created_at: '2026-11-21T13:36:15.000Z',
      assistant_id: name('assistant'),
      user_id: 'visitor-17',
      messages,
    })),
    'ai_threads.list': { query: { user_id: 'visitor-17' } },
    'ai_threads.replace': body(ThreadReplace)({ version: 0, messages }),
  },
};
