import { sql } from 'kysely';
import { defineRetention } from '../../../jobs/retention.ts';
import type { Feature } from '../../feature.ts';
import { NO_ASSISTANT } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

const conversationRetention = defineRetention({
  description: 'conversations with an expired token',
  keptHours: 24,
  table: 'ai_conversations',
  isOld: (before) => sql`r.expires_at < ${before}`,
  byTenant: false,
});

/** Conversations with assistants on web pages. */
export const aiConversations: Feature = {
  name: 'ai-conversations',
  examples,
  routes,
  retentions: [conversationRetention],
  errors: [NO_ASSISTANT],
};
