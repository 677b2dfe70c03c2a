import Type, { type Static } from 'typebox';
import { INVALID_REQUEST, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { check, checkEach } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { isTime } from '../../../resources/filter-values.ts';
import { byUnit, queryListRoute } from '../../../resources/list-routes.ts';
import { routeProperties } from '../../../resources/route-parts.ts';
import { deleteRoute } from '../../../resources/routes.ts';
import { withMore } from '../../../resources/view.ts';
import { imageFaults, openToolResults, unknownToolUse } from './messages.ts';
import { threads } from './resource.ts';
import { Message, ThreadCreate, ThreadReplace, UserId } from './schema.ts';
import { createThread, readThread, updateThread } from './service.ts';

const family = {
  path: '/api/ai/threads',
  id: 'ai_threads',
  tag: 'AI',
  noun: 'thread',
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;
const imageChecks = checkEach('messages', imageFaults);

/** Routes of threads (docs/specification/ai.md#threads). */
export const routes: readonly Route[] = [
  defineRoute({
    ...routeProperties('create', threads, family, {
      summary: 'Creates a thread with the given messages',
      description: 'The thread starts with the given `version` and `created_at`.',
      errors: [NOT_FOUND],
    }),
    body: ThreadCreate,
    checks: [
      imageChecks,
      // The schema's pattern also accepts invalid times and years that the database cannot store.
      check(['created_at'], ({ created_at }: Static<typeof ThreadCreate>) =>
        isTime(created_at) ? [] : [{ field: 'created_at', message: 'must be an ISO 8601 time' }],
      ),
      check(['messages'], ({ messages }: Static<typeof ThreadCreate>) =>
        openToolResults(messages).map(unknownToolUse),
      ),
    ],
    reply: IdReply,
    write: async (ctx, { body }) => ({ id: (await createThread(ctx, body)).id }),
  }),
  queryListRoute(
    threads,
    family,
    { user_id: { operation: 'eq', schema: UserId, isRequired: true }, ...byUnit },
    { description: 'Threads of one user, without messages.' },
  ),
  defineRoute({
    ...routeProperties('get', threads, family, { summary: 'Reads a thread with all its messages' }),
    reply: withMore(threads.reply, { messages: Type.Array(Message) }, 'Thread'),
    handler: (ctx, { params }) => readThread(ctx, params.id ?? ''),
  }),
  defineRoute({
    ...routeProperties('replace', threads, family, {
      summary: 'Adds messages to a thread',
      description: 'Atomic. Requires the current version; a concurrent writer gets 409 and reads again.',
      errors: [INVALID_REQUEST],
    }),
    body: ThreadReplace,
    checks: [imageChecks],
    reply: Type.Object({ id: Type.String(), version: Type.Integer() }, { title: 'IdVersionReply' }),
    write: (ctx, { params, body }) => updateThread(ctx, params.id ?? '', body),
  }),
  deleteRoute(threads, family),
];
