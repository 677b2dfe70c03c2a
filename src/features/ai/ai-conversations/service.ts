import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { ruleBroken, UNAUTHORIZED, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { type ConversationContext, signConversation } from '../../../http/conversation-surface.ts';
import type { ServerEvent } from '../../../http/event-stream.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { writerOf } from '../../../resources/records.ts';
import { roleCovers, roleIn } from '../../../tenancy/caller.ts';
import { findCallerByMembership } from '../../../tenancy/find-member-caller.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findAssistantByKey, getAssistant } from '../ai-assistants/index.ts';
import {
  ask,
  askForAnswer,
  endTurn,
  prepareQuestion,
  type Question,
  type Turn,
  type TurnContext,
  toEvents,
  toMessage,
} from '../ai-replies/index.ts';
import { createThread, type Message, openThread } from '../ai-threads/index.ts';
import { NO_ASSISTANT } from './errors.ts';
import { requireThreadLimit } from './limits.ts';
import { type ConversationRow, findConversation, insertConversation, setThread } from './queries.ts';
import type { ConversationBody, ConversationReply, EngageBody } from './schema.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Issues a token for a conversation, valid for an hour. @throws AppError NOT_FOUND for a missing assistant or thread,
 * FORBIDDEN unless the caller is an editor of the assistant's unit, VALIDATION_ERROR for a thread of another assistant.
 */
export async function engage(ctx: MemberContext, { key, payload }: EngageBody): Promise<string> {
  const { assistantId, threadId: thread_id, context } = readPayload(payload);
  const thread = thread_id === null ? null : await openThread(writerOf(ctx), thread_id);
  if (thread !== null && assistantId !== null && thread.assistantId !== assistantId)
    throw ruleBroken('payload.thread_id', 'is a thread of another assistant');
  const assistant_id = thread?.assistantId ?? assistantId;
  if (assistant_id !== null)
    requireRole(ctx.caller, (await getAssistant(ctx.db, assistant_id)).unitId, 'editor');
  const id = uuidv7();
  const until = new Date(ctx.now.getTime() + HOUR_MS);
  const { membershipId: membership_id } = ctx.caller;
  const row = { id, key, assistant_id, membership_id, thread_id, context };
  await insertConversation(ctx.db, row, ctx.now, until);
  return signConversation(ctx.platform.tokens, { tenantId: ctx.db.tenantId, id }, until);
}

/** Splits a payload into ids and other data for the model; null if it is empty. */
function readPayload(payload: unknown) {
  if (!isObject(payload)) return { assistantId: null, threadId: null, context: payload };
  const { assistant_id, thread_id, ...rest } = payload;
  const [assistantId, threadId] = [assistant_id, thread_id].map((id) => (typeof id === 'string' ? id : null));
  const context = Object.keys(rest).length === 0 ? null : rest;
  return { assistantId: assistantId ?? null, threadId: threadId ?? null, context };
}

/** Returns an issue for each id in a payload that is not a string. */
export function payloadFaults({ payload }: EngageBody): readonly Issue[] {
  if (!isObject(payload)) return [];
  const { assistant_id = null, thread_id = null } = payload;
  return Object.entries({ assistant_id, thread_id }).flatMap(([name, id]) =>
    id === null || typeof id === 'string' ? [] : [{ field: `payload.${name}`, message: 'must be a string' }],
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message in a conversation, ready to be sent to the model. */
export interface PreparedMessage extends TurnContext {
  readonly tenantId: string;
  readonly conversation: ConversationRow;
  readonly message: Message;
  readonly question: Question;
  /** The turn in the conversation's thread, or null if the message creates the thread. */
  readonly turn: Turn | null;
}

/** A message with its answer. */
export interface AnsweredMessage {
  readonly tenantId: string;
  readonly prepared: PreparedMessage;
  readonly answer: Message;
}

/** Sends a message and waits for the whole answer. @throws the errors of `prepareMessage`, and LLM_PROVIDER_ERROR. */
export async function answerMessage(
  ctx: ConversationContext,
  body: ConversationBody,
): Promise<AnsweredMessage> {
  const prepared = await prepareMessage(ctx, body);
  const answer = await askForAnswer(prepared, prepared.question, new AbortController().signal);
  return { tenantId: prepared.tenantId, prepared, answer };
}

/** Sends a message and streams the answer. @throws the errors of `prepareMessage`. */
export async function streamAnswer(
  ctx: ConversationContext,
  body: ConversationBody,
  signal: AbortSignal,
): Promise<AsyncGenerator<ServerEvent>> {
  const prepared = await prepareMessage(ctx, body);
  return toEvents(ask(prepared, prepared.question, { isStreamed: true, signal }), (answer) =>
    storeAnswer(prepared, answer),
  );
}

/**
 * Adds a message and its answer to the thread, or creates the thread. @throws AppError VERSION_CONFLICT if another
 * message was stored meanwhile.
 */
export function storeAnswer(prepared: PreparedMessage, answer: Message): Promise<ConversationReply> {
  const { turn, conversation, message, question, actor, now } = prepared;
  return prepared.db.transaction(async (db) => {
    const writer = { actor, now, db };
    if (turn !== null) {
      await endTurn(writer, turn, answer);
      return { thread_id: turn.thread.id, message: answer };
    }
    const { id } = await createThread(writer, {
      version: 1,
      created_at: now.toISOString(),
      assistant_id: question.assistantId,
      user_id: conversation.key.replaceAll(/[^A-Za-z0-9_-]/g, '_'),
      messages: [message, answer],
    });
    if (!(await setThread(db, conversation.id, id))) throw new AppError(VERSION_CONFLICT);
    return { thread_id: id, message: answer };
  });
}

/**
 * Returns the assistant of a conversation. The member who opened the conversation must still be an editor of the
 * assistant's unit. @throws AppError UNAUTHORIZED, NOT_FOUND, or NO_ASSISTANT if the request selects none and there is
 * no default.
 */
async function assistantOf(db: ScopedDb, conversation: ConversationRow, id: string | null) {
  const caller = await findCallerByMembership(db, conversation.membership_id);
  if (caller === null) throw new AppError(UNAUTHORIZED);
  const isEditorIn = (unitId: string) => {
    const role = roleIn(caller, unitId);
    return role !== null && roleCovers(role, 'editor');
  };
  if (id !== null) {
    const assistant = await getAssistant(db, id);
    if (!isEditorIn(assistant.unitId)) throw new AppError(UNAUTHORIZED);
    return assistant;
  }
  const units = caller.units.map(({ buId }) => buId).filter(isEditorIn);
  const assistant = await findAssistantByKey(db, units, conversation.key);
  if (assistant === null) throw new AppError(NO_ASSISTANT);
  return assistant;
}

/**
 * Checks a message and prepares its question. @throws AppError UNAUTHORIZED if the conversation no longer exists or its
 * member has lost access, VALIDATION_ERROR if the thread is too long, and the errors of `beginTurn`.
 */
async function prepareMessage(
  { platform, now, conversation: { tenantId, id } }: ConversationContext,
  body: ConversationBody,
): Promise<PreparedMessage> {
  const db = platform.scoped(wholeTenant(tenantId));
  const conversation = await findConversation(db, id);
  if (conversation === null) throw new AppError(UNAUTHORIZED);
  const ctx: TurnContext = { platform, db, now, actor: { kind: 'conversation', conversationId: id } };
  const { thread_id, assistant_id, context } = conversation;
  const thread = thread_id === null ? null : await openThread(ctx, thread_id);
  const assistant = await assistantOf(db, conversation, thread?.assistantId ?? assistant_id);
  if (thread !== null) requireThreadLimit(thread);
  const message = toMessage(body.message);
  const contextText =
    context === null ? undefined : `Context of this conversation: ${JSON.stringify(context)}`;
  const question = await prepareQuestion(ctx, { assistant, thread }, [message], contextText);
  const turn = thread === null ? null : { ...question, thread, newMessages: [message] };
  return { ...ctx, tenantId, conversation, message, question, turn };
}
