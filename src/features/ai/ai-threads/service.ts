import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import { requireRole } from '../../../resources/ownership.ts';
import {
  createRecord,
  getRecord,
  lockRecord,
  replaceRecord,
  type WriteContext,
  writerOf,
} from '../../../resources/records.ts';
import type { Resource } from '../../../resources/resource.ts';
import { restoredOf } from '../../../resources/restored-records.ts';
import type { Writer } from '../../../resources/statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getAssistant } from '../ai-assistants/index.ts';
import { bytesOf, metadataBytesOf, nameOf, openToolResults, UNNAMED, unknownToolUse } from './messages.ts';
import {
  insertMessages,
  listKnownToolUses,
  listMessageSizes,
  listMessages,
  readMessageTexts,
  sumStoredMessages,
} from './queries.ts';
import { threads } from './resource.ts';
import type { Message, ThreadCreate, ThreadReplace } from './schema.ts';

/** Messages of larger threads are read in chunks, in bytes. */
const MAX_INLINE_BYTES = 1024 * 1024;
/** Largest thread that can be continued, in bytes. Providers refuse more. */
const MAX_OPEN_BYTES = 24 * 1024 * 1024;
const TOO_LONG = 'The thread is too long for any model. Create a new one.';

/** A thread's id and version. */
export interface ThreadVersion {
  readonly id: string;
  readonly version: number;
}

/** Returns the body that restores a deleted thread. Its messages are still stored. */
export function emptyThread({
  assistant_id,
  user_id,
  created_at,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { assistant_id, user_id, created_at, version: 0, messages: [] };
}

/**
 * Creates a thread with the caller's messages, or restores a deleted thread with its stored messages.
 * @throws AppError NOT_FOUND for an unknown assistant.
 */
export async function createThread(ctx: WriteContext, body: ThreadCreate): Promise<ThreadVersion> {
  const { messages, version, created_at } = body;
  const { db } = writerOf(ctx);
  const { unitId: ownerId } = await getAssistant(db, body.assistant_id);
  const restored = restoredOf(ctx, threads);
  const columns = {
    assistant_id: body.assistant_id,
    user_id: body.user_id,
    name: nameOf(messages) ?? UNNAMED,
    message_count: messages.length,
    message_octets: sumBytes(messages),
    metadata_octets: sumMetadata(messages),
    ...(restored && (await sumStoredMessages(db, restored.key.at(-1) ?? ''))),
  };
  const options = { ownerId, firstVersion: version, createdAt: new Date(created_at).toISOString() };
  const { id } = await createRecord(ctx, threads, columns, options);
  if (messages.length > 0) await insertMessages(db, { threadId: id, version, first: 0 }, messages);
  return { id, version };
}

/**
 * Appends messages to a thread of this version atomically. If the list begins with all messages of the thread, appends
 * only the rest. @throws AppError NOT_FOUND, FORBIDDEN, VERSION_CONFLICT, or INVALID_REQUEST for a tool_result without
 * its tool_use.
 */
export async function updateThread(
  ctx: WriteContext,
  id: string,
  { version, messages }: ThreadReplace,
): Promise<ThreadVersion> {
  const writer = writerOf(ctx);
  return writer.db.transaction(async (db) => {
    const txWriter = { ...writer, db };
    const thread = await lockRecord(txWriter, threads, id, 'editor', { version });
    const storedCount = (await beginsWithAll(db, thread, messages)) ? thread.message_count : 0;
    if (messages.length === storedCount) return { id, version };
    await requireToolUses(db, id, messages.slice(storedCount), (index) => `messages[${storedCount + index}]`);
    return append(txWriter, thread, messages.slice(storedCount));
  });
}

/**
 * Appends messages to a thread of this version atomically. @throws AppError NOT_FOUND, FORBIDDEN, VERSION_CONFLICT.
 */
export async function addMessages(
  ctx: WriteContext,
  { id, version }: ThreadVersion,
  messages: readonly Message[],
): Promise<ThreadVersion> {
  const writer = writerOf(ctx);
  return writer.db.transaction(async (db) => {
    const txWriter = { ...writer, db };
    return append(txWriter, await lockRecord(txWriter, threads, id, 'editor', { version }), messages);
  });
}

/** The fields of a thread that an answer needs, without its messages. */
export interface OpenThread extends ThreadVersion {
  readonly assistantId: string;
  readonly messageCount: number;
  /** Size of the thread's messages in bytes. */
  readonly bytes: number;
}

/**
 * Returns a thread to append to. @throws AppError NOT_FOUND, FORBIDDEN, or VALIDATION_ERROR if it is too long for any
 * model.
 */
export async function openThread(ctx: WriteContext, id: string): Promise<OpenThread> {
  const { actor, db } = writerOf(ctx);
  const row = await getRecord(db, threads, id);
  if (actor.kind === 'member') requireRole(actor.caller, row.owner_bu_id, 'editor');
  const { version, assistant_id: assistantId, message_count: messageCount, message_octets: bytes } = row;
  if (bytes > MAX_OPEN_BYTES) throw new AppError(VALIDATION_ERROR, { message: TOO_LONG });
  return { id, version, assistantId, messageCount, bytes };
}

/**
 * Reads the messages that a thread had when it was opened, without metadata. `bytes` of the open thread is their size.
 */
export function readMessages(db: ScopedDb, { id, messageCount }: OpenThread): Promise<Message[]> {
  return listMessages(db, id, messageCount);
}

/** Returns the thread with all its messages. @throws AppError NOT_FOUND. */
export async function readThread({ db }: MemberContext, id: string): Promise<JsonText | LargeResponse> {
  const row = await getRecord(db, threads, id);
  const head = threads.view(row);
  const last = row.message_count - 1;
  if (row.message_octets + row.metadata_octets <= MAX_INLINE_BYTES) {
    const texts = await readMessageTexts(db, id, 0, last);
    return new JsonText(`${JSON.stringify(head).slice(0, -1)},"messages":[${texts.join()}]}`);
  }
  const chunks = toChunks(
    await listMessageSizes(db, id, last),
    ({ octets }) => octets,
    (chunk) => readMessageTexts(db, id, chunk[0]?.position ?? 0, chunk.at(-1)?.position ?? -1),
  );
  return new LargeResponse(db.tenantId, chunks, head, 'messages');
}

/** True if a list begins with all messages of the thread. */
async function beginsWithAll(
  db: ScopedDb,
  { id, message_count, message_octets }: { id: string; message_count: number; message_octets: number },
  messages: readonly Message[],
): Promise<boolean> {
  if (message_count === 0 || messages.length <= message_count) return false;
  const first = messages.slice(0, message_count);
  // Messages of different sizes differ, so the stored ones need not be read.
  if (sumBytes(first) !== message_octets) return false;
  const stored = await listMessages(db, id, message_count);
  return stored.every(({ role, content }, index) =>
    isDeepStrictEqual([role, content], [first[index]?.role, first[index]?.content]),
  );
}

type Thread = typeof threads extends Resource<infer T> ? T['row'] : never;

async function append(
  txWriter: Writer,
  thread: Thread,
  messages: readonly Message[],
): Promise<ThreadVersion> {
  const { id, name, message_count, message_octets, metadata_octets } = thread;
  const { version } = await replaceRecord(txWriter, threads, id, {
    name: (name === UNNAMED ? nameOf(messages) : null) ?? name,
    message_count: message_count + messages.length,
    message_octets: message_octets + sumBytes(messages),
    metadata_octets: metadata_octets + sumMetadata(messages),
  });
  await insertMessages(txWriter.db, { threadId: id, version, first: message_count }, messages);
  return { id, version };
}

/**
 * Requires a tool_use for each tool_result, earlier in the list or in the thread. `pathOf` returns the path of a
 * message in the request. @throws AppError INVALID_REQUEST.
 */
export async function requireToolUses(
  db: ScopedDb,
  threadId: string | null,
  messages: readonly Message[],
  pathOf: (index: number) => string = () => 'message',
): Promise<void> {
  const open = openToolResults(messages, pathOf);
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  const known = threadId === null ? new Set() : await listKnownToolUses(db, threadId, ids);
  const unknown = open.filter(({ id }) => !known.has(id));
  if (unknown.length > 0) throw invalidRequest(unknown.map(unknownToolUse));
}

function sumMetadata(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + metadataBytesOf(message), 0);
}

function sumBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + bytesOf(message), 0);
}
