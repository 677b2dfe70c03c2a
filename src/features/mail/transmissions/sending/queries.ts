import { type Selectable, sql } from 'kysely';
import type { EveryTenantDb } from '../../../../db/every-tenant.ts';
import { storable } from '../../../../db/storable.ts';
import { countHoursCall } from '../../../../overview/hourly-counts.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { Ack } from '../../../../work-queue/work-queue.ts';
import { toRow } from '../../../../work-queue/work-queue-queries.ts';
import { type MessageEvent, messageEventsCall } from '../../email-tracking/index.ts';
import type { TransmissionRow } from '../resource.ts';
import type { EmailMessageRow, StoredContent, StoredStatus } from '../tables.ts';

/** Columns of a recipient's own data, up to 110 KB. */
export const DATA_COLUMNS = ['metadata', 'substitution_data'] as const;
/** Columns that a claim reads. */
export const MESSAGE_COLUMNS = [
  ...(['tenant_id', 'id', 'transmission_id', 'content_id', 'subscriber_id', 'recipient', 'address'] as const),
  ...(['name', 'header_to', ...DATA_COLUMNS] as const),
];
/** A claimed message. If its data are large, they are read later and `left_out` is their size in bytes, else 0. */
export type LoadedMessage = Pick<Selectable<EmailMessageRow>, (typeof MESSAGE_COLUMNS)[number]> & {
  readonly left_out: number;
};

/** Returns the id of the transmission whose content a message has. */
export function contentIdOf({ content_id, transmission_id }: LoadedMessage): string {
  return content_id ?? transmission_id;
}

const TRANSMISSION_COLUMNS = [
  ...(['tenant_id', 'id', 'created_at', 'scheduled_at', 'transactional', 'content'] as const),
  ...(['options', 'metadata', 'substitution_data', 'return_path', 'message_bytes'] as const),
];
const HEAD_COLUMNS = TRANSMISSION_COLUMNS.filter((column) => column !== 'content');
/** Message size up to which the content is read together with that of other transmissions. */
const SMALL_MESSAGE_BYTES = 256 * 1024;

/** A transmission with its content. */
export type LoadedTransmission = Pick<Selectable<TransmissionRow>, (typeof TRANSMISSION_COLUMNS)[number]>;

/** A transmission without its content. */
export type TransmissionHead = Omit<LoadedTransmission, 'content'>;

/** Reads transmissions; the content is null if their messages are large. */
export function findTransmissions(
  db: ScopedDb,
  ids: readonly string[],
): Promise<(TransmissionHead & { readonly content: StoredContent | null })[]> {
  const content = sql<StoredContent | null>`case when message_bytes <= ${SMALL_MESSAGE_BYTES}::int then content end`;
  return db.query
    .selectFrom('transmissions')
    .select(HEAD_COLUMNS)
    .select(content.as('content'))
    .where('id', 'in', ids)
    .execute();
}

/** Reads a transmission with its content, which never changes while it is sent. */
export function findWholeTransmission(db: ScopedDb, id: string): Promise<LoadedTransmission | undefined> {
  return db.query
    .selectFrom('transmissions')
    .select(TRANSMISSION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists the URLs of a transmission's attachments that are downloaded, in their order. */
export async function findFileUrls(db: ScopedDb, id: string): Promise<readonly string[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ url: string }>`
      select file.value ->> 'url' as url from transmissions t
      cross join lateral json_array_elements(t.content::json -> 'attachments') with ordinality as file (value, place)
      where t.tenant_id = ${tenantId}::uuid and t.id = ${id}::uuid and file.value ->> 'url' is not null
      order by file.place`,
  );
  return rows.map(({ url }) => url);
}

/** Reads a message with its data; undefined if it or its recipient was erased. */
export async function findMessage(db: ScopedDb, id: string): Promise<LoadedMessage | undefined> {
  const row = await db.query
    .selectFrom('email_messages')
    .select(MESSAGE_COLUMNS)
    .where('id', '=', id)
    .where('address', '<>', '')
    .executeTakeFirst();
  return row && { ...row, left_out: 0 };
}

/** Adds the data that claims left out; a deleted message gets none. */
export async function withOwnData(
  db: ScopedDb,
  messages: readonly LoadedMessage[],
): Promise<readonly LoadedMessage[]> {
  const ids = messages.filter(({ left_out }) => left_out > 0).map(({ id }) => id);
  if (ids.length === 0) return messages;
  const rows = await db.query
    .selectFrom('email_messages')
    .select(['id', ...DATA_COLUMNS])
    .where('id', 'in', ids)
    .execute();
  const data = new Map(rows.map((row) => [row.id, row]));
  return messages.map((message) => ({ ...message, ...data.get(message.id) }));
}

/**
 * Returns the pending messages among these. Looks up each by its key, because the planner may otherwise scan all
 * pending messages.
 */
export async function findPending(db: ScopedDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select m.id from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      select m.id, m.state from email_messages m where m.tenant_id = ${tenantId}::uuid and m.id = k.id limit 1) m
    where m.state = 'pending'`,
  );
  return new Set(rows.map(({ id }) => id));
}

type ResultColumns = 'render_error' | 'suppressed_by' | 'relay_answer';

/** Result of an attempt: columns of the message, and an event to record. */
export interface MessageResult extends Partial<Pick<Selectable<EmailMessageRow>, ResultColumns>> {
  readonly status: StoredStatus;
  readonly rendered_at?: Date | undefined;
  /** Time when the relay accepted the message. */
  readonly sent_at?: Date;
  readonly ended_at?: Date;
  readonly event?: Omit<MessageEvent, 'tenantId' | 'messageId'>;
}

/** Acknowledges messages and records their events. Returns the number of new deliveries to event webhooks. */
export async function acknowledgeMessages(
  all: EveryTenantDb,
  acks: readonly Ack<MessageResult>[],
  now: Date,
): Promise<number> {
  // Sorted, so that all workers and the recording of events lock rows in the same order.
  const rows = acks.map(toAckRow).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const events = acks.flatMap(({ claim: { tenantId, id: messageId }, outcome }) => {
    const event = 'result' in outcome ? outcome.result?.event : undefined;
    return event === undefined ? [] : [{ tenantId, messageId, ...event }];
  });
  // Errors quote templates and data, and answers come from the relay: both may contain characters that cannot be
  // stored.
  const json = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
  const changes = sql`tessera_acknowledge_messages(${all.tenantId}::uuid, ${json})`;
  const sent = acks.flatMap(({ claim: { tenantId }, outcome, at }) =>
    'result' in outcome && outcome.result?.status === 'sent'
      ? [{ tenantId, name: 'sent_mails' as const, subjectId: tenantId, at }]
      : [],
  );
  const counts = sent.length === 0 ? sql`null` : countHoursCall(all, sent);
  if (events.length === 0) {
    await all.raw(sql`select tessera_count_messages(${all.tenantId}::uuid, ${changes}), ${counts}`);
    return 0;
  }
  const { rows: answers } = await all.raw(sql<{ deliveries: number }>`
    select ${messageEventsCall(all, events, now, { counted: changes })} as deliveries, ${counts}`);
  return answers[0]?.deliveries ?? 0;
}

function toAckRow(ack: Ack<MessageResult>) {
  const row = toRow(ack);
  const result = 'result' in ack.outcome ? ack.outcome.result : undefined;
  const { event: _event, ...columns } = result ?? resultOfBrokenAttempt(ack);
  return { ...row, ...columns };
}

/** Returns the result of an attempt that threw. */
function resultOfBrokenAttempt({ outcome, at }: Ack<MessageResult>): MessageResult {
  return outcome.kind === 'failed' ? { status: 'failed', ended_at: at } : { status: 'queued' };
}

function keyOf({ tenant_id, id }: { readonly tenant_id: string; readonly id: string }): string {
  return tenant_id + id;
}

/** True if a sending was cancelled or deleted. */
export async function isSendingCancelled(db: ScopedDb, id: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('transmissions')
    .select('cancelled_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined || found.cancelled_at !== null;
}
