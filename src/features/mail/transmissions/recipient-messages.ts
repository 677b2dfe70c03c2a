/** Lists messages to subscribers with their results. */
import { type Selectable, sql } from 'kysely';
import { offsetOf, type PageRequest, totalOf } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EmailMessageRow } from './tables.ts';

const COLUMNS = [
  ...(['id', 'transmission_id', 'subscriber_id', 'created_at', 'status', 'state', 'suppressed_by'] as const),
  ...(['sent_at', 'ended_at', 'bounced_at', 'complained_at', 'unsubscribed_at'] as const),
  ...(['opened_at', 'clicked_at'] as const),
] as const;

/** A message to a subscriber with its result. */
export type RecipientMessage = Pick<Selectable<EmailMessageRow>, (typeof COLUMNS)[number]>;

/** Lists a page of the messages of sendings, newest first; `hasClicked` selects clicked or unclicked ones. */
export async function listRecipientMessages(
  db: ScopedDb,
  sendingIds: readonly string[],
  hasClicked: boolean | undefined,
  page: PageRequest,
): Promise<RecipientMessage[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select id from tessera_list_addressed(${tenantId}::uuid, ${sendingIds}::uuid[], ${hasClicked !== false},
      ${hasClicked !== true}, ${offsetOf(page)}::bigint, ${page.limit}::int)`,
  );
  if (rows.length === 0) return [];
  return db.query
    .selectFrom('email_messages')
    .select(COLUMNS)
    .where('id', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
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

/** Lists a page of the messages of sendings to a subscriber, newest first, with their total. */
export async function listSubscriberMessages(
  db: ScopedDb,
  { subscriberId, sendingIds, hasClicked }: SubscriberMessageFilter,
  page: PageRequest,
): Promise<{ readonly rows: RecipientMessage[]; readonly total: number }> {
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
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute();
  const total = await totalOf(page, rows.length, async () => {
    const counted = await messages.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return counted.total;
  });
  return { rows, total };
}
