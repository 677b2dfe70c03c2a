/** Messages to people with what became of each. */
import { type Selectable, sql } from 'kysely';
import { offsetOf, type PageRequest, totalOf } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EmailMessageRow } from './tables.ts';

const COLUMNS = [
  ...(['id', 'transmission_id', 'subscriber_id', 'created_at', 'status', 'state', 'suppressed_by'] as const),
  ...(['sent_at', 'ended_at', 'bounced_at', 'complained_at', 'unsubscribed_at'] as const),
  ...(['opened_at', 'clicked_at'] as const),
] as const;

/** A message to somebody with what became of it. */
export type AddressedMessage = Pick<Selectable<EmailMessageRow>, (typeof COLUMNS)[number]>;

/** One page of the messages of these sendings, newest first: all, or those that were clicked, or those that were not. */
export async function listAddressed(
  db: ScopedDb,
  sendingIds: readonly string[],
  hasClicked: boolean | undefined,
  page: PageRequest,
): Promise<AddressedMessage[]> {
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

/** How many messages of these sendings were to people who have been erased since; `hasClicked` as in `listAddressed`. */
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

/** The sendings by which somebody was addressed. */
export async function listSendingsTo(db: ScopedDb, subscriberId: string): Promise<string[]> {
  const rows = await db.query
    .selectFrom('email_messages')
    .select('transmission_id')
    .distinct()
    .where('subscriber_id', '=', subscriberId)
    .execute();
  return rows.map(({ transmission_id }) => transmission_id);
}

/** Which messages to somebody are wanted: all that fit. */
export interface PersonNarrowing {
  readonly subscriberId: string;
  readonly sendingIds: readonly string[];
  readonly hasClicked?: boolean | undefined;
}

/** One page of the messages of these sendings to somebody, newest first, and how many there are. */
export async function listAddressedTo(
  db: ScopedDb,
  { subscriberId, sendingIds, hasClicked }: PersonNarrowing,
  page: PageRequest,
): Promise<{ readonly rows: AddressedMessage[]; readonly total: number }> {
  // First those to the person, who are few: a planner that knows no figures might read the sendings instead.
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
