import Type from 'typebox';
import {
  FORBIDDEN,
  INVALID_REQUEST,
  NOT_FOUND,
  RATE_LIMITED,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { LLM_NOT_CONFIGURED, LLM_PROVIDER_ERROR } from '../../../model-provider/errors.ts';
import { Message } from '../ai-threads/index.ts';
import { readBudget, setBudget } from './budget.ts';
import { TOKEN_BUDGET_EXCEEDED } from './errors.ts';
import { BudgetBody, BudgetReply, ReplyBody, UsageQuery, UsageReply } from './schema.ts';
import { answerTurn, readUsage, streamTurn, turnContext } from './service.ts';
import { endTurn } from './turn.ts';

const tag = 'AI';

/** Routes of answers and their usage (docs/specification/ai.md#replies). */
export const routes: readonly Route[] = [
  defineRoute({
    tag,
    id: 'ai_threads.reply',
    mayLackBody: true,
    method: 'POST',
    path: '/api/ai/threads/{id}/reply',
    summary: "Adds a message and the assistant's answer",
    description:
      'Adds message and answer atomically. Clients that accept `text/event-stream` get a stream: events `delta {text}`, then `message` or `error`. After an answer with `tool_use` blocks, send a message with their `tool_result` blocks.',
    access: 'editor',
    errors: [
      FORBIDDEN,
      INVALID_REQUEST,
      NOT_FOUND,
      VERSION_CONFLICT,
      VALIDATION_ERROR,
      RATE_LIMITED,
      TOKEN_BUDGET_EXCEEDED,
      LLM_PROVIDER_ERROR,
      LLM_NOT_CONFIGURED,
    ],
    params: Type.Object({ id: Type.String() }),
    body: ReplyBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Message,
    prepare: (ctx, { params, body }) => answerTurn(ctx, params.id, body),
    write: async (ctx, _input, { turn, answer }) => {
      await endTurn(turnContext(ctx), turn, answer);
      return answer;
    },
    events: (ctx, { params, body }, signal) => streamTurn(ctx, params.id, body, signal),
    eventsEnd: true,
  }),
  defineRoute({
    tag,
    id: 'ai_usage.read',
    method: 'GET',
    path: '/api/ai/usage',
    summary: 'Reads tokens used in a period, by assistant and model',
    access: 'member',
    errors: [INVALID_REQUEST],
    query: UsageQuery,
    reply: UsageReply,
    handler: (ctx, { query }) => readUsage(ctx, query),
  }),
  defineRoute({
    tag,
    id: 'ai_budget.read',
    method: 'GET',
    path: '/api/ai/budget',
    summary: "Reads the monthly token budget and this month's usage",
    access: 'owner',
    reply: BudgetReply,
    handler: (ctx) => readBudget(ctx),
  }),
  defineRoute({
    tag,
    id: 'ai_budget.replace',
    method: 'PUT',
    path: '/api/ai/budget',
    summary: 'Sets the monthly token budget; null removes it',
    access: 'owner',
    updates: { current: (ctx) => readBudget(ctx) },
    body: BudgetBody,
    reply: BudgetReply,
    write: (ctx, { body }) => setBudget(ctx, body),
  }),
];
