import Type from 'typebox';
import {
  FORBIDDEN,
  NOT_FOUND,
  UNAUTHORIZED,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineConversationRoute } from '../../../http/conversation-surface.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { LLM_NOT_CONFIGURED, LLM_PROVIDER_ERROR } from '../../../model-provider/errors.ts';
import { TOKEN_BUDGET_EXCEEDED } from '../ai-replies/index.ts';
import { NO_ASSISTANT } from './errors.ts';
import { messageFaults, payloadSizeFaults } from './limits.ts';
import { ConversationBody, ConversationReply, EngageBody } from './schema.ts';
import { answerMessage, engage, payloadFaults, storeAnswer, streamAnswer } from './service.ts';
import { widgetRoute } from './widget.ts';

const tag = 'AI';

/** Routes of conversations in browsers (docs/specification/ai.md#conversations). */
export const routes: readonly Route[] = [
  defineRoute({
    tag,
    id: 'ai_conversations.engage',
    method: 'POST',
    path: '/api/ai/engage-conversation',
    summary: 'Creates a token for a conversation on a page, valid for 1 hour',
    description:
      'The page uses it for `POST /api/ai/conversation/messages`. Without `thread_id`, the first message opens a thread.',
    access: 'editor',
    errors: [FORBIDDEN, NOT_FOUND, VALIDATION_ERROR],
    body: EngageBody,
    checks: [check(['payload'], payloadSizeFaults), check(['payload'], payloadFaults)],
    reply: Type.Object(
      { token: Type.String({ description: 'Secret: it authorises the conversation.' }) },
      { title: 'ConversationToken' },
    ),
    returnsSecrets: true,
    write: async (ctx, { body }) => ({ token: await engage(ctx, body) }),
  }),
  defineConversationRoute({
    tag,
    id: 'ai_conversations.say',
    method: 'POST',
    path: '/api/ai/conversation/messages',
    summary: "Sends a message and returns the assistant's answer",
    description:
      'Requires the conversation token; any origin. Clients that accept `text/event-stream` get a stream: events `delta {text}`, then `message {thread_id, message}` or `error`.',
    errors: [
      UNAUTHORIZED,
      NOT_FOUND,
      NO_ASSISTANT,
      VERSION_CONFLICT,
      VALIDATION_ERROR,
      TOKEN_BUDGET_EXCEEDED,
      LLM_PROVIDER_ERROR,
      LLM_NOT_CONFIGURED,
    ],
    rateLimit: { limit: 20, windowSeconds: 60, per: 'caller' },
    body: ConversationBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: [check(['message'], messageFaults)],
    reply: ConversationReply,
    prepare: (ctx, { body }) => answerMessage(ctx, body),
    write: ({ db }, _input, { prepared, answer }) => storeAnswer({ ...prepared, db }, answer),
    events: (ctx, { body }, signal) => streamAnswer(ctx, body, signal),
    eventsEnd: true,
  }),
  widgetRoute,
];
