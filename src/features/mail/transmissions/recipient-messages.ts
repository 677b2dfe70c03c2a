/** Lists messages to subscribers with their results. */
import { type Selectable, sql } from 'kysely';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { id, moment } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { isAfter, orderBy, orderValueSql, readCursor, readSort } from '../../../resources/list-order.ts';
import type { ListQuery } from '../../../resources/list-queries.ts';
import { nextOf, totalIn } from '../../../resources/lists.ts';
import { offsetOf } from '../../../resources/paging.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EmailMessageRow } from './tables.ts';

const COLUMNS = [
  ...(['id', 'transmission_id', 'subscriber_id', 'created_at', 'status', 'state', 'suppressed_by'] as const),
  ...(['sent_at', 'ended_at', 'bounced_at', 'complained_at', 'unsubscribed_at'] as const),
  ...(['opened_at', 'clicked_at'] as const),
] as const;

/** A message to a subscriber with its result. */
export type RecipientMessage = Pick<Selectable<EmailMessageRow>, (typeof COLUMNS)[number]>;

/** The order of lists of messages: by the time at which they were written. */
export const listedMessages = defineResource({
  table: 'email_messages',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields: { id, created_at: moment },
});

/** A page of messages with the cursor of the next one. */
export interface MessagePage {
  readonly rows: readonly RecipientMessage[];
  readonly next?: string | null;
}

/** Reads the order of a list of messages and its cursor. @throws AppError INVALID_REQUEST. */
function readPosition({ sort, after }: ListQuery) {
  const order = readSort(listedMessages, sort);
  return { order, after: after === undefined ? null : readCursor(listedMessages, order, after, 0) };
}

/**
 * Lists a page of the messages of sendings, newest first by default; `hasClicked` selects clicked or unclicked ones.
 * @throws AppError INVALID_REQUEST for an unknown sort or a malformed cursor.
 */
export async function listRecipientMessages(
  db: ScopedDb,
  sendingIds: readonly string[],
  hasClicked: boolean | undefined,
  request: ListQuery,
): Promise<MessagePage> {
  const { order, after } = readPosition(request);
  const [time = null, lastId = null] = after ?? [];
  const { rows: page } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select id from tessera_list_recipient_messages(${tenantId}::uuid, ${sendingIds}::uuid[], ${hasClicked !== false},
      ${hasClicked !== true}, ${order.isDescending}, ${time}::timestamptz, ${lastId}::uuid,
      ${offsetOf(request)}::bigint, ${request.limit}::int)`,
  );
  const rows = await db.query
    .selectFrom('email_messages')
    .select(COLUMNS)
    .select(orderValueSql(listedMessages, order, 'email_messages'))
    .where('id', '=', sql<string>`any(${page.map(({ id }) => id)}::uuid[])`)
    .orderBy(orderBy(listedMessages, order))
    .execute();
  return { rows, ...nextOf(listedMessages, order, request, rows) };
}

/** Counts the messages of sendings to erased subscribers; `hasClicked` as in `listRecipientMessages`. */
export async function countErased(
  db: ScopedDb,
  sendingIds: readonly string[],
  hasClicked: boolean | undefined,
): Promise<number> {
  let erased = db.query
    .selectFrom('email_messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('transmission_id', '=', sql<string>`any(${sendingIds}::uuid[])`)
    .where('subscriber_id', 'is not', null)
    .where('recipient', '=', '');
  if (hasClicked !== undefined) erased = erased.where('clicked_at', hasClicked ? 'is not' : 'is', null);
  return (await erased.executeTakeFirstOrThrow()).count;
}

/** Lists the sendings with a message to a subscriber. */
export async function listSendingsTo(db: ScopedDb, subscriberId: string): Promise<string[]> {
  const rows = await db.query
    .selectFrom('email_messages')
    .select('transmission_id')
    .distinct()
    .where('subscriber_id', '=', subscriberId)
    .execute();
  return rows.map(({ transmission_id }) => transmission_id);
}

/** Conditions for listing messages to a subscriber; all must match. */
export interface SubscriberMessageFilter {
  readonly subscriberId: string;
  readonly sendingIds: readonly string[];
  readonly hasClicked?: boolean | undefined;
}

/**
 * Lists a page of the messages of sendings to a subscriber, newest first by default, with their total.
 * @throws AppError INVALID_REQUEST for an unknown sort or a malformed cursor.
 */
export async function listSubscriberMessages(
  db: ScopedDb,
  { subscriberId, sendingIds, hasClicked }: SubscriberMessageFilter,
  request: ListQuery,
): Promise<MessagePage & { readonly total?: number }> {
  const { order, after } = readPosition(request);
  // Materialized: a planner without statistics might scan the sendings instead of the subscriber's few messages.
  let messages = db.query
    .with(
      (own) => own('own').materialized(),
      (query) =>
        query
          .selectFrom('email_messages')
          .select(COLUMNS)
          .where('subscriber_id', '=', subscriberId)
          .where('recipient', '<>', ''),
    )
    .selectFrom('own')
    .where('transmission_id', '=', sql<string>`any(${sendingIds}::uuid[])`);
  if (hasClicked !== undefined) messages = messages.where('clicked_at', hasClicked ? 'is not' : 'is', null);
  const rows = await messages
    .$if(after !== null, (query) => query.where(isAfter(listedMessages, order, after ?? [], 0, 'own')))
    .selectAll()
    .select(orderValueSql(listedMessages, order, 'own'))
    .orderBy(orderBy(listedMessages, order))
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
  const total = await totalIn(request, rows.length, async () => {
    const counted = await messages.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return counted.total;
  });
  return { rows, ...total, ...nextOf(listedMessages, order, request, rows) };
}
