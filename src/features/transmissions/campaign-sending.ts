/** Sendings to people whom a campaign names: transmissions whose messages are written by portions while the first leave. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { offsetOf, type PageRequest, totalOf } from '../../resources/paging.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { insertTransmission } from './queries.ts';
import { type EmailMessageRow, LANES, type StoredCampaign, type StoredContent } from './tables.ts';

/** The lane of such messages: transactional mail overtakes them. */
export const CAMPAIGN_LANE = LANES.bulk;

/** A sending that begins. */
export interface NewSending {
  readonly id: string;
  readonly ownerBuId: string;
  /** What event webhooks are told of it. */
  readonly campaignId: string;
  readonly description: string;
  readonly campaign: StoredCampaign;
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** What templates see of the campaign. */
  readonly data: object;
  /** A trial, to addresses instead of people, suppressed ones as well. */
  readonly isTest?: true;
}

/** Writes a sending without messages. */
export async function beginSending(tx: ScopedDb, sending: NewSending, now: Date): Promise<void> {
  const { id, ownerBuId, campaignId, description, campaign, content, data, isTest = false } = sending;
  const options = {
    openTracking: sending.openTracking,
    clickTracking: sending.clickTracking,
    initialOpen: false,
    sandbox: false,
    skipSuppression: isTest,
    inlineCss: false,
    performSubstitutions: true,
    ipPool: null,
    campaign,
  };
  await insertTransmission(tx, {
    ...{ id, owner_bu_id: ownerBuId, created_at: now, scheduled_at: null, generated_at: isTest ? now : null },
    ...{ cancelled_at: null, description, campaign_id: campaignId, transactional: false, content },
    ...{ options: JSON.stringify(options), tags: '[]', metadata: null, return_path: null, recipients: 0 },
    substitution_data: JSON.stringify(data),
  });
}

/** Notes that all messages of a sending are written. */
export async function endWriting(tx: ScopedDb, id: string, recipients: number, now: Date): Promise<void> {
  const written = { generated_at: now, recipients };
  await tx.query.updateTable('transmissions').set(written).where('id', '=', id).execute();
}

/** Has no further message of a sending handed over. */
export async function cancelSending(tx: ScopedDb, id: string, now: Date): Promise<void> {
  const cancelled = sql<Date>`coalesce(cancelled_at, ${now})`;
  await tx.query.updateTable('transmissions').set({ cancelled_at: cancelled }).where('id', '=', id).execute();
}

/** Whether a sending was cancelled, or is gone. */
export async function isSendingCancelled(db: ScopedDb, id: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('transmissions')
    .select('cancelled_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined || found.cancelled_at !== null;
}

/** Whom a message of a campaign is to. */
export interface Addressee {
  readonly subscriberId: string;
  /** Null: the message is of no type. */
  readonly subscriptionTypeId: string | null;
  /** When they unsubscribed by this message; null: they did not. */
  readonly unsubscribedAt: string | null;
}

/** Whom a message of a campaign is to; null for mail to an address alone. */
export async function findAddressee(db: ScopedDb, messageId: string): Promise<Addressee | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<Addressee>`
    select m.subscriber_id as "subscriberId", m.unsubscribed_at as "unsubscribedAt", t.options -> 'campaign' ->> 'subscriptionTypeId' as "subscriptionTypeId"
    from email_messages m
    join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
    where m.tenant_id = ${tenantId}::uuid and m.id = ${messageId}::uuid and m.subscriber_id is not null`,
  );
  return rows[0] ?? null;
}

/** The position of the first message from `position` on that has not ended; null when all have. */
export async function firstPending(db: ScopedDb, id: string, position: number): Promise<number | null> {
  const found = await db.query
    .selectFrom('email_messages')
    .select('position')
    .where('transmission_id', '=', id)
    .where('position', '>=', position)
    .where('state', '=', 'pending')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return found?.position ?? null;
}

/** What became of a sending's messages: people, machines left out. */
export interface SendingCounts {
  readonly delivered: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
}

/** Counts the messages of these sendings, by id; of one that has none nothing is told. */
export async function countSendings(
  db: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SendingCounts>> {
  if (ids.length === 0) return new Map();
  const counted = (condition: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${condition})`;
  const rows = await db.query
    .selectFrom('email_messages')
    .where('transmission_id', '=', sql<string>`any(${ids}::uuid[])`)
    .groupBy('transmission_id')
    .select([
      'transmission_id',
      counted(sql`status = 'sent'`).as('delivered'),
      counted(sql`status = 'bounced'`).as('bounced'),
      counted(sql`opened_at is not null`).as('opened'),
      counted(sql`clicked_at is not null`).as('clicked'),
      counted(sql`unsubscribed_at is not null`).as('unsubscribed'),
    ])
    .execute();
  return new Map(rows.map(({ transmission_id, ...counts }) => [transmission_id, counts]));
}

/** How many people have a delivered message of these sendings, each once. */
export async function countReached(db: ScopedDb, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { reached } = await db.query
    .selectFrom('email_messages')
    .select(sql<number>`count(distinct subscriber_id)`.as('reached'))
    .where('transmission_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return reached;
}

const ADDRESSED_COLUMNS = [
  ...(['id', 'transmission_id', 'subscriber_id', 'created_at', 'status', 'state', 'suppressed_by'] as const),
  ...([
    'sent_at',
    'ended_at',
    'bounced_at',
    'complained_at',
    'unsubscribed_at',
    'opened_at',
    'clicked_at',
  ] as const),
] as const;

/** A message to somebody with what became of it. */
export type AddressedMessage = Pick<Selectable<EmailMessageRow>, (typeof ADDRESSED_COLUMNS)[number]>;

/** Which messages to people are wanted: all that fit. */
export interface AddressedNarrowing {
  readonly sendingIds?: readonly string[];
  readonly subscriberId?: string;
  readonly hasClicked?: boolean | undefined;
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

/** One page of messages to people, newest first, and how many there are. */
export async function listAddressed(
  db: ScopedDb,
  { sendingIds, subscriberId, hasClicked }: AddressedNarrowing,
  page: PageRequest,
): Promise<{ readonly rows: AddressedMessage[]; readonly total: number }> {
  let messages = db.query.selectFrom('email_messages').where('subscriber_id', 'is not', null);
  if (sendingIds !== undefined)
    messages = messages.where('transmission_id', '=', sql<string>`any(${sendingIds}::uuid[])`);
  if (subscriberId !== undefined) messages = messages.where('subscriber_id', '=', subscriberId);
  if (hasClicked !== undefined) messages = messages.where('clicked_at', hasClicked ? 'is not' : 'is', null);
  const rows = await messages
    .select(ADDRESSED_COLUMNS)
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
