import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { bytesOf, metadataBytesOf, toolUsesOf } from './messages.ts';
import type { Message } from './schema.ts';

/** The position and size of a message. */
export interface MessageSize {
  readonly position: number;
  readonly octets: number;
}

/** Appends messages to a thread. */
export async function insertMessages(
  tx: ScopedDb,
  {
    threadId,
    version,
    first,
  }: { readonly threadId: string; readonly version: number; readonly first: number },
  messages: readonly Message[],
): Promise<void> {
  const rows = messages.map((message, index) => ({
    position: first + index,
    role: message.role,
    content: message.content,
    metadata: message.metadata ?? null,
    octets: bytesOf(message) + metadataBytesOf(message),
    tool_use_ids: toolUsesOf(message),
  }));
  await tx.raw(
    (tenantId) => sql`
      insert into ai_thread_messages
        (tenant_id, thread_id, position, version, role, content, metadata, octets, tool_use_ids)
      select tenant_row.tenant_id, ${threadId}::uuid, position, ${version}::int, role, content, metadata, octets, tool_use_ids
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (position int, role text, content json, metadata json,
        octets int, tool_use_ids text[])
      cross join ${tenantRow(tenantId)}`,
  );
}

/** Returns the number and total size of a thread's stored messages, also if the thread is deleted. */
export async function sumStoredMessages(
  tx: ScopedDb,
  threadId: string,
): Promise<{ message_count: number; message_octets: number; metadata_octets: number }> {
  const { rows } = await tx.raw(
    (tenantId) => sql<Pick<Message, 'role' | 'content' | 'metadata'> & { octets: number }>`
      select role, content, metadata, octets from ai_thread_messages
      where tenant_id = ${tenantId}::uuid and thread_id = ${threadId}::uuid`,
  );
  const metadata = rows.reduce((sum, message) => sum + metadataBytesOf(message), 0);
  const all = rows.reduce((sum, { octets }) => sum + octets, 0);
  return { message_count: rows.length, message_octets: all - metadata, metadata_octets: metadata };
}

/** Returns which of these tool calls are in the thread. */
export async function listKnownToolUses(
  tx: ScopedDb,
  threadId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
      select distinct id from ai_thread_messages m cross join unnest(m.tool_use_ids) as used (id)
      where m.tenant_id = ${tenantId}::uuid and m.thread_id = ${threadId}::uuid and m.tool_use_ids is not null
        and used.id = any(${ids}::text[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the first messages of a thread without their metadata. */
export async function listMessages(db: ScopedDb, threadId: string, count: number): Promise<Message[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Message>`
      select role, content from ai_thread_messages
      where tenant_id = ${tenantId}::uuid and thread_id = ${threadId}::uuid and position < ${count}::int order by position`,
  );
  return rows;
}

/** Returns the positions and sizes of a thread's messages up to the position `last`, in order. */
export async function listMessageSizes(db: ScopedDb, threadId: string, last: number): Promise<MessageSize[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<MessageSize>`
      select position, octets from ai_thread_messages
      where tenant_id = ${tenantId}::uuid and thread_id = ${threadId}::uuid and position <= ${last}::int
      order by position`,
  );
  return rows;
}

/** Returns the messages between two positions, inclusive, as JSON texts. */
export async function readMessageTexts(
  db: ScopedDb,
  threadId: string,
  first: number,
  last: number,
): Promise<string[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ text: string }>`
      select ${messageText('m')} as text from ai_thread_messages m
      where m.tenant_id = ${tenantId}::uuid and m.thread_id = ${threadId}::uuid
        and m.position between ${first}::int and ${last}::int order by m.position`,
  );
  return rows.map(({ text }) => text);
}

/** Returns SQL for the messages that a thread had in a history entry. */
export function messagesAt(tenantId: string, entry: string): RawBuilder<string> {
  return sql<string>`(select '[' || coalesce(string_agg(${messageText('m')}, ',' order by m.position), '') || ']'
    from ai_thread_messages m where ${isOfEntry(tenantId, entry)})`;
}

/** Returns SQL for the size of the messages that a thread had in a history entry. */
export function bytesAt(tenantId: string, entry: string): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(m.octets), 0) from ai_thread_messages m where ${isOfEntry(tenantId, entry)})`;
}

function isOfEntry(tenantId: string, entry: string): RawBuilder<unknown> {
  const [thread, version] = [sql.ref(`${entry}.sort_key`), sql.ref(`${entry}.version`)];
  return sql`m.tenant_id = ${tenantId}::uuid and m.thread_id = ${thread}::uuid and m.version <= ${version}`;
}

/** Returns SQL for a message as the API shows it, from the columns of `table`. */
function messageText(table: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<string>`'{"role":"' || ${column('role')} || '","content":' || ${column('content')}::text
    || coalesce(',"metadata":' || ${column('metadata')}::text, '') || '}'`;
}
