import type { Feature } from '../feature.ts';
import { aiAssistants } from './ai-assistants/index.ts';
import { aiConversations } from './ai-conversations/index.ts';
import { aiIndexes } from './ai-indexes/index.ts';
import { aiReplies } from './ai-replies/index.ts';
import { aiThreads } from './ai-threads/index.ts';

/** Assistants, threads, search indexes and conversations. */
export const aiFeatures: readonly Feature[] = [
  aiAssistants,
  aiThreads,
  aiIndexes,
  aiReplies,
  aiConversations,
];
