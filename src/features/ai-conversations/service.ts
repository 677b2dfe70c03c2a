import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../errors/app-error.ts';
import { ruleBroken, UNAUTHORIZED, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { type ConversationContext, signConversation } from '../../http/conversation-surface.ts';
import type { ServerEvent } from '../../http/event-stream.ts';
import { requireRole } from '../../resources/ownership.ts';
import { writerOf } from '../../resources/records.ts';
import { roleCovers, roleIn } from '../../tenancy/caller.ts';
import { findCallerByMembership } from '../../tenancy/find-member-caller.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getAssistant } from '../ai-assistants/index.ts';
import {
  ask,
  askForAll,
  endTurn,
  prepareQuestion,
  type Question,
  type Turn,
  type TurnContext,
  toEvents,
  toMessage,
} from '../ai-replies/index.ts';
import { createThread, type Message, openThread } from '../ai-threads/index.ts';
import { requireRoom } from './bounds.ts';
import { type ConversationRow, findConversation, insertConversation, setThread } from './queries.ts';
import type { ConversationBody, ConversationReply, EngageBody } from './schema.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * A token for a conversation, for an hour.
 * @throws AppError NOT_FOUND for an assistant or a thread that is not there, FORBIDDEN unless the caller is an editor of the
 * assistant's unit, VALIDATION_ERROR for a thread of another assistant.
 */
export async function engage(ctx: MemberContext, { key, payload }: EngageBody): Promise<string> {
  const { assistant_id, thread_id = null, ...context } = payload;
  const { unitId } = await getAssistant(ctx.db, assistant_id);
  requireRole(ctx.caller, unitId, 'editor');
  if (thread_id !== null) {
    const { assistantId } = await openThread(writerOf(ctx), thread_id);
    if (assistantId !== assistant_id)
      throw ruleBroken('payload.thread_id', 'is a thread of another assistant');
  }
  const id = uuidv7();
  const until = new Date(ctx.now.getTime() + HOUR_MS);
  const known = Object.keys(context).length === 0 ? null : context;
  const { membershipId: membership_id } = ctx.caller;
  const row = { id, key, assistant_id, membership_id, thread_id, context: known };
  await insertConversation(ctx.db, row, ctx.now, until);
  return signConversation(ctx.platform.tokens, { tenantId: ctx.db.tenantId, id }, until);
}

/** What was said in a conversation, ready to be asked. */
export interface Said extends TurnContext {
  readonly tenantId: string;
  readonly conversation: ConversationRow;
  readonly message: Message;
  readonly question: Question;
  /** The turn in the conversation's thread; null: it opens one. */
  readonly turn: Turn | null;
}

/** The same with its answer. */
export interface AnsweredSaid {
  readonly tenantId: string;
  readonly said: Said;
  readonly answer: Message;
}

/** Asks and waits for the whole answer. @throws AppError as `hear`, and LLM_PROVIDER_ERROR */
export async function answerSaid(ctx: ConversationContext, body: ConversationBody): Promise<AnsweredSaid> {
  const said = await hear(ctx, body);
  const answer = await askForAll(said, said.question, new AbortController().signal);
  return { tenantId: said.tenantId, said, answer };
}

/** Asks, and gives the answer as it arrives. @throws AppError as `hear` */
export async function streamSaid(
  ctx: ConversationContext,
  body: ConversationBody,
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerEvent>> {
  const said = await hear(ctx, body);
  return toEvents(ask(said, said.question, { isStreamed: true, signal }), (answer) => keep(said, answer));
}

/** Adds what was said and answered to the thread, or opens it. @throws AppError VERSION_CONFLICT when another message was quicker */
export function keep(said: Said, answer: Message): Promise<ConversationReply> {
  const { turn, conversation, message, actor, now } = said;
  return said.db.transaction(async (db) => {
    const inside = { actor, now, db };
    if (turn !== null) {
      await endTurn(inside, turn, answer);
      return { thread_id: turn.thread.id, message: answer };
    }
    const { id } = await createThread(inside, {
      version: 1,
      created_at: now.toISOString(),
      assistant_id: conversation.assistant_id,
      user_id: conversation.key.replaceAll(/[^A-Za-z0-9_-]/g, '_'),
      messages: [message, answer],
    });
    if (!(await setThread(db, conversation.id, id))) throw new AppError(VERSION_CONFLICT);
    return { thread_id: id, message: answer };
  });
}

/** Whether the member who opened a conversation is still an editor of its assistant's unit. */
async function maySpeak(db: ScopedDb, { membership_id, assistant_id }: ConversationRow): Promise<boolean> {
  const caller = await findCallerByMembership(db, membership_id);
  if (caller === null) return false;
  const role = roleIn(caller, (await getAssistant(db, assistant_id)).unitId);
  return role !== null && roleCovers(role, 'editor');
}

/** @throws AppError UNAUTHORIZED for a conversation that is gone or whose member may not hold it, VALIDATION_ERROR for one that is full, and as `beginTurn`. */
async function hear(
  { platform, now, conversation: { tenantId, id } }: ConversationContext,
  body: ConversationBody,
): Promise<Said> {
  const db = platform.scoped(wholeTenant(tenantId));
  const conversation = await findConversation(db, id);
  if (conversation === null || !(await maySpeak(db, conversation))) throw new AppError(UNAUTHORIZED);
  const ctx: TurnContext = { platform, db, now, actor: { kind: 'conversation', conversationId: id } };
  const { thread_id, assistant_id, context } = conversation;
  const thread = thread_id === null ? null : await openThread(ctx, thread_id);
  if (thread !== null) requireRoom(thread);
  const message = toMessage(body.message);
  const place = { assistantId: thread?.assistantId ?? assistant_id, thread };
  const known =
    context === null ? undefined : `What is known of this conversation: ${JSON.stringify(context)}`;
  const question = await prepareQuestion(ctx, place, [message], known);
  const turn = thread === null ? null : { ...question, thread, said: [message] };
  return { ...ctx, tenantId, conversation, message, question, turn };
}
