import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { ServerEvent } from '../../../http/event-stream.ts';
import { readTime } from '../../../resources/filter-values.ts';
import { writerOf } from '../../../resources/records.ts';
import type { Message } from '../ai-threads/index.ts';
import { listUsage } from './queries.ts';
import type { ReplyBody, UsageReply } from './schema.ts';
import { ask, askForAnswer, beginTurn, endTurn, type Turn, type TurnContext } from './turn.ts';

/** Returns the turn context of a member. */
export function turnContext(ctx: MemberContext): TurnContext {
  return { platform: ctx.platform, ...writerOf(ctx) };
}

/** A turn with its answer, which is not stored yet. */
export interface AnsweredTurn {
  readonly turn: Turn;
  readonly answer: Message;
}

/** Asks and waits for the whole answer. @throws the errors of `beginTurn`, and AppError LLM_PROVIDER_ERROR. */
export async function answerTurn(
  ctx: MemberContext,
  threadId: string,
  { message }: ReplyBody,
): Promise<AnsweredTurn> {
  const turnCtx = turnContext(ctx);
  const turn = await beginTurn(turnCtx, threadId, message);
  // Continue even if the caller disconnects: the thread shows the stored answer later.
  return { turn, answer: await askForAnswer(turnCtx, turn, new AbortController().signal) };
}

/** Asks and streams the answer. @throws the errors of `beginTurn`. */
export async function streamTurn(
  ctx: MemberContext,
  threadId: string,
  { message }: ReplyBody,
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerEvent>> {
  const turnCtx = turnContext(ctx);
  const turn = await beginTurn(turnCtx, threadId, message);
  return toEvents(ask(turnCtx, turn, { isStreamed: true, signal }), async (answer) => {
    await endTurn(turnCtx, turn, answer);
    return answer;
  });
}

/** Converts an answer to events: `delta` for its parts, and `message` with the result of `store` once it is stored. */
export async function* toEvents(
  parts: ReturnType<typeof ask>,
  store: (answer: Message) => Promise<object>,
): AsyncGenerator<ServerEvent> {
  for await (const part of parts) {
    if ('text' in part) yield { event: 'delta', data: { text: part.text } };
    else yield { event: 'message', data: await store(part.message) };
  }
}

/**
 * Returns the token usage of a period, by default of all time. @throws AppError INVALID_REQUEST for an invalid date.
 */
export async function readUsage(
  { db }: MemberContext,
  { from = '0001-01-01', to = '9999-12-31' }: { readonly from?: string; readonly to?: string },
): Promise<UsageReply> {
  const days = Object.entries({ from, to }).map(([field, text]) => {
    const time = readTime(text);
    if (time === undefined) throw invalidRequest([{ field, message: 'must be an ISO 8601 date or time' }]);
    return time.slice(0, 10);
  });
  const results = await listUsage(db, days[0] ?? '', days[1] ?? '');
  const sum = (of: (each: UsageReply['results'][number]) => number) =>
    results.reduce((total, each) => total + of(each), 0);
  return {
    results,
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
  };
}
