import {
  type ExpressionBuilder,
  expressionBuilder,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import {
  isAfter,
  ORDER_VALUE,
  orderBy,
  orderValueSql,
  readCursor,
  readSort,
} from '../../../resources/list-order.ts';
import type { ListQuery } from '../../../resources/list-queries.ts';
import { nextOf } from '../../../resources/lists.ts';
import { offsetOf, type PageRequest } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { lockTenant, tenantRow } from '../../../tenancy/tenant-row.ts';
import { type TransmissionHead, type TransmissionRow, transmissionResource } from './resource.ts';
import type { TransmissionState } from './schema.ts';
import { expectedBytes } from './sending/message-bytes.ts';
import type { EmailMessageRow, StoredContent } from './tables.ts';

/** A new message. */
export type NewMessage = Pick<
  Selectable<EmailMessageRow>,
  | ('id' | 'target_id' | 'position' | 'recipient' | 'address' | 'name' | 'header_to')
  | ('tags' | 'metadata' | 'substitution_data')
> & {
  /** The subscriber; absent for mail to an address alone. */
  readonly subscriber_id?: string;
};

/** A new transmission. */
export type NewTransmission = Omit<
  Insertable<TransmissionRow>,
  'tenant_id' | 'content' | 'message_bytes' | 'content_for'
> & {
  readonly content: StoredContent;
  readonly content_for?: string;
};

/** Transmission, lane and due time of new messages. */
export interface MessageBatch {
  readonly transmissionId: string;
  readonly lane: number;
  readonly createdAt: Date;
  readonly dueAt: Date;
}

/** Inserts a transmission; insert its messages in the same transaction. */
export async function insertTransmission(
  tx: ScopedDb,
  { content, ...transmission }: NewTransmission,
): Promise<void> {
  const computed = { content: JSON.stringify(content), message_bytes: expectedBytes(content) };
  await tx.query
    .insertInto('transmissions')
    .values({ ...transmission, ...computed, tenant_id: tx.tenantId })
    .execute();
}

/** Size of one insert statement, in characters of JSON; a single message may exceed it. */
const STATEMENT_CHARS = 4 * 1024 * 1024;

/** Inserts any number of messages, in statements of limited size. Wake the lane's work queue after the commit. */
export async function insertMessages(
  tx: ScopedDb,
  batch: MessageBatch,
  messages: readonly NewMessage[],
): Promise<void> {
  let chunk: string[] = [];
  let characters = 0;
  for (const message of messages) {
    const json = JSON.stringify(message);
    if (chunk.length > 0 && characters + json.length > STATEMENT_CHARS) {
      await insertChunk(tx, batch, chunk);
      chunk = [];
      characters = 0;
    }
    chunk.push(json);
    characters += json.length;
  }
  if (chunk.length > 0) await insertChunk(tx, batch, chunk);
}

async function insertChunk(
  tx: ScopedDb,
  { transmissionId, lane, createdAt, dueAt }: MessageBatch,
  messages: readonly string[],
): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
      created_at, subscriber_id, recipient, address, name, header_to, tags, metadata, substitution_data, status)
    select tenant_row.tenant_id, id, target_id, ${lane}, 'pending', ${dueAt}, 0, ${transmissionId}::uuid, position,
      ${createdAt}, subscriber_id, recipient, address, name, header_to, tags, metadata, substitution_data, 'queued'
    from json_to_recordset(${`[${messages.join(',')}]`}::json) as given (id uuid, target_id uuid, position int,
      subscriber_id uuid, recipient text, address text, name text, header_to text, tags json, metadata json, substitution_data json)
    cross join ${tenantRow(tenantId)}`,
  );
}

/**
 * Adds tags and returns the tenant's number of distinct tags. Locks the tenant if any tag is new, so that concurrent
 * writers see each other's tags.
 */
export async function addTags(tx: ScopedDb, tags: readonly string[]): Promise<number> {
  const known = await tx.query.selectFrom('email_tags').select('tag').execute();
  const knownTags = new Set(known.map(({ tag }) => tag));
  if (tags.every((tag) => knownTags.has(tag))) return knownTags.size;
  await lockTenant(tx);
  await tx.raw(
    (tenantId) => sql`
    insert into email_tags (tenant_id, tag)
    select tenant_row.tenant_id, tag from unnest(${tags}::text[]) as tag cross join ${tenantRow(tenantId)}
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
  'created_at',
  'scheduled_at',
  'description',
  'campaign_id',
  'recipients',
] as const;

/** A transmission with its state. */
export type TransmissionSummary = Pick<Selectable<TransmissionRow>, (typeof HEAD_COLUMNS)[number]> & {
  readonly state: TransmissionState;
};

/** Conditions for listing transmissions; all must match. */
export interface TransmissionFilter {
  readonly id?: string | undefined;
  readonly state?: TransmissionState | undefined;
  /** A tag of one of their recipients. */
  readonly tag?: string | undefined;
  /** Time of acceptance, both ends inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Finds a transmission. */
export function findTransmission(
  db: ScopedDb,
  id: string,
  now: Date,
): Promise<TransmissionSummary | undefined> {
  return summaries(db, { id }, now).executeTakeFirst();
}

/**
 * Lists a page of transmissions, newest first by default, and the cursor of the next one.
 * @throws AppError INVALID_REQUEST for an unknown sort or a malformed cursor.
 */
export async function findTransmissions(
  db: ScopedDb,
  filter: TransmissionFilter,
  request: ListQuery,
  now: Date,
): Promise<{ readonly found: readonly TransmissionSummary[]; readonly next?: string | null }> {
  const order = readSort(transmissionResource, request.sort);
  const { table } = transmissionResource;
  const after =
    request.after === undefined ? null : readCursor(transmissionResource, order, request.after, 0);
  const rows = await summaries(db, filter, now)
    .$if(after !== null, (query) => query.where(isAfter(transmissionResource, order, after ?? [])))
    .select(orderValueSql(transmissionResource, order, table))
    .orderBy(orderBy(transmissionResource, order))
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
  const found = rows.map(({ [ORDER_VALUE]: _place, ...summary }) => summary);
  return { found, ...nextOf(transmissionResource, order, request, rows) };
}

function summaries(db: ScopedDb, filter: TransmissionFilter, now: Date) {
  return filtered(db, filter, now)
    .select(HEAD_COLUMNS)
    .select((eb) => stateOf(eb, now).as('state'));
}

/** Counts transmissions. */
export async function countTransmissions(
  db: ScopedDb,
  filter: TransmissionFilter,
  now: Date,
): Promise<number> {
  const { total } = await filtered(db, filter, now)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function filtered(db: ScopedDb, { id, state, tag, from, to }: TransmissionFilter, now: Date) {
  const eb = expressionBuilder<Tables, 'transmissions'>();
  const conditions = [
    eb('content_for', 'is', null),
    ...(id === undefined ? [] : [eb('id', '=', id)]),
    ...(from === undefined ? [] : [eb('created_at', '>=', from)]),
    ...(to === undefined ? [] : [eb('created_at', '<=', to)]),
    ...(tag === undefined ? [] : [sql<SqlBool>`tags::jsonb ? ${tag}`]),
    ...(state === undefined ? [] : [eb(stateOf(eb, now), '=', state)]),
  ];
  return db.query.selectFrom('transmissions').where(eb.and(conditions));
}

/**
 * Returns SQL for the state of a transmission, derived from its messages. `generating`: not all messages are written,
 * or no worker has claimed one; `failed`: all messages failed. Each condition stops at the first matching message.
 */
function stateOf(eb: ExpressionBuilder<Tables, 'transmissions'>, now: Date): RawBuilder<TransmissionState> {
  const hasMessage = (condition: RawBuilder<SqlBool>) =>
    eb.exists(
      eb
        .selectFrom('email_messages')
        .whereRef('email_messages.transmission_id', '=', 'transmissions.id')
        .where(condition)
        .select('email_messages.id'),
    );
  const hasStarted = hasMessage(
    sql<SqlBool>`not (${isUnclaimed(sql`coalesce(transmissions.scheduled_at, transmissions.created_at)`)})`,
  );
  const isPending = hasMessage(sql<SqlBool>`email_messages.state = 'pending'`);
  const isFailed = eb.and([
    eb('transmissions.recipients', '>', 0),
    eb.not(hasMessage(sql<SqlBool>`email_messages.status <> 'failed'`)),
  ]);
  return sql<TransmissionState>`case
    when transmissions.cancelled_at is not null then 'cancelled'
    when transmissions.scheduled_at > ${now} and not ${hasStarted} then 'scheduled'
    when transmissions.generated_at is null then 'generating'
    when ${isPending} then case when ${hasStarted} then 'sending' else 'generating' end
    when ${isFailed} then 'failed'
    else 'completed' end`;
}

/** Counts of a transmission's messages by result so far. */
export interface MessageCounts {
  /** Waiting, being sent, or waiting for a retry. */
  readonly pending: number;
  readonly sent: number;
  readonly failed: number;
  readonly suppressed: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
}

/** Counts the messages of each transmission by result; omits transmissions without messages. */
export async function countMessages(
  db: ScopedDb,
  transmissionIds: readonly string[],
): Promise<ReadonlyMap<string, MessageCounts>> {
  if (transmissionIds.length === 0) return new Map();
  const counted = (condition: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${condition})`;
  const rows = await db.query
    .selectFrom('email_messages')
    .where('transmission_id', '=', sql<string>`any(${transmissionIds}::uuid[])`)
    .groupBy('transmission_id')
    .select([
      'transmission_id',
      counted(sql`state = 'pending'`).as('pending'),
      counted(sql`status = 'sent'`).as('sent'),
      counted(sql`status = 'failed'`).as('failed'),
      counted(sql`status = 'suppressed'`).as('suppressed'),
      counted(sql`status = 'bounced'`).as('bounced'),
      counted(sql`opened_at is not null`).as('opened'),
      counted(sql`clicked_at is not null`).as('clicked'),
    ])
    .execute();
  return new Map(rows.map((row) => [row.transmission_id, row]));
}

const DETAIL_COLUMNS = [
  ...(['id', 'status', 'state', 'attempts', 'due_at', 'claim_id', 'last_error', 'created_at'] as const),
  ...(['recipient', 'suppressed_by', 'rendered_at', 'render_error', 'sent_at', 'relay_answer'] as const),
  ...(['ended_at', 'bounced_at', 'bounce_class', 'bounce_reason'] as const),
  ...(['complained_at', 'unsubscribed_at'] as const),
] as const;

/** A message with its result. */
export type MessageDetails = Pick<Selectable<EmailMessageRow>, (typeof DETAIL_COLUMNS)[number]>;

/** Lists a page of a transmission's messages in order; with `recipient` (normalized) only those to it. */
export function listMessages(
  db: ScopedDb,
  transmissionId: string,
  page: PageRequest,
  recipient?: string,
): Promise<MessageDetails[]> {
  const messages = db.query.selectFrom('email_messages').where('transmission_id', '=', transmissionId);
  const selected = recipient === undefined ? messages : messages.where('recipient', '=', recipient);
  return selected
    .select(DETAIL_COLUMNS)
    .orderBy('position')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute();
}

/**
 * Marks a transmission as cancelled and fails its unclaimed messages; returns their number. Waits for workers that are
 * claiming messages.
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
    .where(isUnclaimed(sql`${scheduled_at ?? created_at}`))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Returns SQL that is true for a message that no worker has ever claimed: a claim moves the due time. */
function isUnclaimed(dueAt: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`state = 'pending' and attempts = 0 and claim_id is null and due_at <= ${dueAt}`;
}
