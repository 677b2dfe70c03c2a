import type { HistoryDetail } from '../../../resources/history.ts';
import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { bytesAt, messagesAt } from './queries.ts';
import { threads } from './resource.ts';
import { routes } from './routes.ts';
import { emptyThread } from './service.ts';

export { imageFaults, openToolResults, textOf, unknownToolUse } from './messages.ts';
export { type Block, ImageBlock, Message, TextBlock } from './schema.ts';
export {
  addMessages,
  createThread,
  type OpenThread,
  openThread,
  readMessages,
  requireToolUses,
  type ThreadVersion,
} from './service.ts';

/** History stores a version of a thread without its messages, which are only ever added. */
const messages: HistoryDetail = {
  entityType: 'ai_thread',
  member: 'messages',
  text: messagesAt,
  bytes: bytesAt,
};

/** Conversations with assistants. */
export const aiThreads: Feature = {
  name: 'ai-threads',
  examples,
  routes,
  historyDetails: [messages],
  searches: [searchOf(threads)],
  restores: [{ resource: threads, createdBy: 'ai_threads.create', bodyOf: emptyThread }],
};
