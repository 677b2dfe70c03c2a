import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { offsetOf, type PageRequest } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EmailMessageRow, FreeData, StoredContent, StoredOptions, TransmissionRow } from './tables.ts';

/** A transmission to be written. */
export interface NewTransmission
  extends Pick<
    TransmissionRow,
    'id' | 'owner_bu_id' | 'description' | 'campaign_id' | 'transactional' | 'return_path' | 'recipients'
  > {
  readonly createdAt: Date;
  /** Null: at once. */
  readonly scheduledAt: Date | null;
  readonly content: StoredContent;
  readonly options: StoredOptions;
  readonly metadata: FreeData | null;
  readonly substitutionData: FreeData | null;
}

/** A message to be written; its transmission says when it is due. */
export interface NewMessage {
  readonly id: string;
  readonly target_id: string;
  readonly position: number;
  readonly recipient: string;
  readonly address: string;
  readonly name: string | null;
  readonly header_to: string | null;
  readonly tags: readonly string[] | null;
  readonly metadata: FreeData | null;
  readonly substitution_data: FreeData | null;
}

/** Where messages belong, and when they become due. */
export interface MessageBatch {
  readonly transmissionId: string;
  readonly lane: number;
  readonly createdAt: Date;
  readonly dueAt: Date;
}

/** Writes a transmission; its messages follow in the same transaction. */
export async function insertTransmission(tx: ScopedDb, transmission: NewTransmission): Promise<void> {
  const { createdAt, scheduledAt, content, options, metadata, substitutionData, ...columns } = transmission;
  await tx.query
    .insertInto('transmissions')
    .values({
      ...columns,
      tenant_id: tx.tenantId,
      created_at: createdAt,
      scheduled_at: scheduledAt,
      generated_at: createdAt,
      cancelled_at: null,
      content: JSON.stringify(content),
      options: JSON.stringify(options),
      metadata: metadata === null ? null : JSON.stringify(metadata),
      substitution_data: substitutionData === null ? null : JSON.stringify(substitutionData),
    })
    .execute();
}

/** Writes messages in one statement, however many. Wake the lane's ledger once it has committed. */
export async function insertMessages(
  tx: ScopedDb,
  { transmissionId, lane, createdAt, dueAt }: MessageBatch,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
      created_at, recipient, address, name, header_to, tags, metadata, substitution_data, status)
    select ${tenantId}::uuid, id, target_id, ${lane}, 'pending', ${dueAt}, 0, ${transmissionId}::uuid, position,
      ${createdAt}, recipient, address, name, header_to, tags, metadata, substitution_data, 'queued'
    from json_to_recordset(${JSON.stringify(messages)}::json) as given (id uuid, target_id uuid, position int,
      recipient text, address text, name text, header_to text, tags json, metadata json, substitution_data json)`,
  );
}

/**
 * Makes these tags known and returns how many distinct ones the tenant has then. Writers of new tags of one tenant
 * take turns, so that each sees what the others wrote.
 */
export async function addTags(tx: ScopedDb, tags: readonly string[]): Promise<number> {
  const known = await tx.query.selectFrom('email_tags').select('tag').execute();
  const knownTags = new Set(known.map(({ tag }) => tag));
  if (tags.every((tag) => knownTags.has(tag))) return knownTags.size;
  await tx.raw((tenantId) => sql`select pg_advisory_xact_lock(hashtext('email_tags/' || ${tenantId}::text))`);
  await tx.raw(
    (tenantId) => sql`
    insert into email_tags (tenant_id, tag) select ${tenantId}::uuid, tag from unnest(${tags}::text[]) as tag
    on conflict do nothing`,
  );
  const { total } = await tx.query
    .selectFrom('email_tags')
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

const HEAD_COLUMNS = [
  'id',
  'owner_bu_id',
  'created_at',
  'scheduled_at',
  'generated_at',
  'cancelled_at',
  'description',
  'campaign_id',
  'recipients',
] as const;

/** A transmission without what it sends. */
export type TransmissionHead = Pick<Selectable<TransmissionRow>, (typeof HEAD_COLUMNS)[number]>;

/** A transmission, or undefined when there is none that the scope reads. */
export function findTransmission(db: ScopedDb, id: string): Promise<TransmissionHead | undefined> {
  return db.query.selectFrom('transmissions').select(HEAD_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** A transmission, kept from changing until the transaction ends. */
export function lockTransmission(tx: ScopedDb, id: string): Promise<TransmissionHead | undefined> {
  return tx.query
    .selectFrom('transmissions')
    .select(HEAD_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** What became of a transmission's messages so far. */
export interface MessageCounts {
  readonly messages: number;
  /** Not ended: waiting, being sent, or to be tried again. */
  readonly pending: number;
  /** Of the pending ones, those that nobody has begun. */
  readonly untouched: number;
  readonly sent: number;
  readonly failed: number;
  readonly suppressed: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
}

/** Counts a transmission's messages, by index. */
export function countMessages(
  db: ScopedDb,
  { id, created_at, scheduled_at }: TransmissionHead,
): Promise<MessageCounts> {
  const counted = (condition: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${condition})`;
  return db.query
    .selectFrom('email_messages')
    .where('transmission_id', '=', id)
    .select([
      sql<number>`count(*)`.as('messages'),
      counted(sql`state = 'pending'`).as('pending'),
      counted(isUntouched(scheduled_at ?? created_at)).as('untouched'),
      counted(sql`status = 'sent'`).as('sent'),
      counted(sql`status = 'failed'`).as('failed'),
      counted(sql`status = 'suppressed'`).as('suppressed'),
      counted(sql`status = 'bounced'`).as('bounced'),
      counted(sql`opened_at is not null`).as('opened'),
      counted(sql`clicked_at is not null`).as('clicked'),
    ])
    .executeTakeFirstOrThrow();
}

/** One page of a transmission's messages, in the order of its recipients. */
export function listMessages(db: ScopedDb, transmissionId: string, page: PageRequest) {
  return db.query
    .selectFrom('email_messages')
    .select([
      ...([
        'id',
        'recipient',
        'status',
        'state',
        'attempts',
        'due_at',
        'last_error',
        'suppressed_by',
      ] as const),
      ...(['bounce_reason', 'sent_at', 'created_at'] as const),
    ])
    .where('transmission_id', '=', transmissionId)
    .orderBy('position')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute();
}

/** A request may name one recipient as often as it has recipients. */
const MAX_TO_ONE = 100;

/** All that is known of a transmission's first messages to one recipient (normal form). */
export function listMessagesTo(
  db: ScopedDb,
  transmissionId: string,
  recipient: string,
): Promise<StoryMessage[]> {
  return db.query
    .selectFrom('email_messages')
    .select(STORY_COLUMNS)
    .where('recipient', '=', recipient)
    .where('transmission_id', '=', transmissionId)
    .orderBy('position')
    .limit(MAX_TO_ONE)
    .execute();
}

const STORY_COLUMNS = [
  ...(['id', 'status', 'state', 'attempts', 'due_at', 'last_error', 'created_at', 'recipient'] as const),
  ...(['suppressed_by', 'rendered_at', 'render_error', 'sent_at', 'relay_answer', 'ended_at'] as const),
  ...(['bounced_at', 'bounce_class', 'bounce_reason', 'complained_at', 'unsubscribed_at'] as const),
] as const;

/** A message as its story needs it. */
export type StoryMessage = Pick<Selectable<EmailMessageRow>, (typeof STORY_COLUMNS)[number]>;

/**
 * Marks a transmission as cancelled and ends those of its messages that nobody has begun; returns how many. A worker
 * that takes one up meanwhile is waited for.
 */
export async function cancelMessages(
  tx: ScopedDb,
  { id, created_at, scheduled_at }: TransmissionHead,
  now: Date,
  reason: string,
): Promise<number> {
  await tx.query.updateTable('transmissions').set({ cancelled_at: now }).where('id', '=', id).execute();
  const { numUpdatedRows } = await tx.query
    .updateTable('email_messages')
    .set({ state: 'failed', status: 'failed', last_error: reason, ended_at: now })
    .where('transmission_id', '=', id)
    .where(isUntouched(scheduled_at ?? created_at))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Of a message that is due at that moment: nobody has begun it. A worker that takes it up moves its due time. */
function isUntouched(dueAt: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`state = 'pending' and attempts = 0 and due_at <= ${dueAt}`;
}
