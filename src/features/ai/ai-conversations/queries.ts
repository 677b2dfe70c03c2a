import type { Time } from '../../../db/tables.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface ConversationTable {
  tenant_id: string;
  id: string;
  key: string;
  assistant_id: string | null;
  /** The member who created the token. */
  membership_id: string;
  thread_id: string | null;
  context: JsonColumn<unknown> | null;
  created_at: Time;
  expires_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    ai_conversations: ConversationTable;
  }
}

/** A conversation as stored. */
export interface ConversationRow {
  readonly id: string;
  readonly key: string;
  /** Null until the first message selects an assistant. */
  readonly assistant_id: string | null;
  readonly membership_id: string;
  readonly thread_id: string | null;
  readonly context: unknown;
}

/** Stores a conversation for the lifetime of its token. */
export async function insertConversation(
  db: ScopedDb,
  { context, ...row }: ConversationRow,
  now: Date,
  until: Date,
): Promise<void> {
  await db.query
    .insertInto('ai_conversations')
    .values({
      tenant_id: db.tenantId,
      ...row,
      context: context === null ? null : JSON.stringify(context),
      created_at: now.toISOString(),
      expires_at: until.toISOString(),
    })
    .execute();
}

/** Returns the conversation, or null if it no longer exists. */
export async function findConversation(db: ScopedDb, id: string): Promise<ConversationRow | null> {
  const row = await db.query
    .selectFrom('ai_conversations')
    .select(['id', 'key', 'assistant_id', 'membership_id', 'thread_id', 'context'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the thread of a conversation. Returns false if the conversation already has one. */
export async function setThread(tx: ScopedDb, id: string, threadId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('ai_conversations')
    .set({ thread_id: threadId })
    .where('id', '=', id)
    .where('thread_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
