/** Sendings to people whom a campaign names: transmissions whose messages are written by portions while the first leave. */
import { type SqlBool, sql } from 'kysely';
import { domainOf } from '../../mail/address.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { targetOf } from './create.ts';
import { insertMessages, insertTransmission } from './queries.ts';
import { type FreeData, LANES, type StoredCampaign, type StoredContent } from './tables.ts';

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
  /** It goes to the unsubscribed, too, and overtakes other mail. */
  readonly isTransactional?: boolean;
  /** Messages are added to it whenever there is one to send, by `addMessages`. */
  readonly isOngoing?: true;
  /** It has no messages, but the content of a retry of this sending. */
  readonly contentFor?: string;
}

/** Writes a sending without messages. */
export async function beginSending(tx: ScopedDb, sending: NewSending, now: Date): Promise<void> {
  const { id, ownerBuId, campaignId, description, campaign, content, data } = sending;
  const { isTest = false, isTransactional = false, isOngoing = false } = sending;
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
    ...{ id, owner_bu_id: ownerBuId, created_at: now, scheduled_at: null },
    ...{ generated_at: isTest || isOngoing ? now : null, cancelled_at: null },
    ...{ description, campaign_id: campaignId, transactional: isTransactional, content },
    ...{ options: JSON.stringify(options), tags: '[]', metadata: null, return_path: null, recipients: 0 },
    substitution_data: JSON.stringify(data),
    ...(sending.contentFor === undefined ? {} : { content_for: sending.contentFor }),
  });
}

/** The most messages that one retry sends again. */
const MOST_RETRIED = 50_000;
/** SQL: true of a message that could not be made. The index of such messages has this condition. */
const IS_UNMADE = sql<SqlBool>`status = 'failed' and render_error is not null`;

/** Counts the messages of sendings that could not be made, by sending. */
export async function countUnmade(
  db: ScopedDb,
  sendingIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sendingIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('email_messages')
    .where('transmission_id', '=', sql<string>`any(${sendingIds}::uuid[])`)
    .where(IS_UNMADE)
    .groupBy('transmission_id')
    .select(['transmission_id', sql<number>`count(*)::int`.as('count')])
    .execute();
  return new Map(rows.map(({ transmission_id, count }) => [transmission_id, count]));
}

/**
 * Sends the messages of a sending that could not be made again, with the content of `retry`; at most 50,000 of them.
 * Messages that were made keep their content. Returns how many. Wake the lane's ledger once it has committed.
 */
export async function retryUnmade(
  tx: ScopedDb,
  sendingId: string,
  retry: NewSending,
  now: Date,
): Promise<number> {
  await beginSending(tx, { ...retry, isOngoing: true, contentFor: sendingId }, now);
  const { rows } = await tx.raw(
    (tenantId) => sql`
    update email_messages m set state = 'pending', status = 'queued', due_at = ${now}::timestamptz, attempts = 0, faults = 0,
      last_error = null, render_error = null, rendered_at = null, ended_at = null, content_id = ${retry.id}::uuid
    where m.tenant_id = ${tenantId}::uuid and m.id in (
      select u.id from email_messages u
      where u.tenant_id = ${tenantId}::uuid and u.transmission_id = ${sendingId}::uuid and u.status = 'failed'
        and u.render_error is not null
      order by u.id limit ${MOST_RETRIED} for update)
    returning m.id`,
  );
  return rows.length;
}

/** The lane of mail that overtakes other mail, or of mail that is overtaken. */
export function laneFor(isTransactional: boolean): number {
  return isTransactional ? LANES.transactional : LANES.bulk;
}

/** A message to one person in a sending that goes on. */
export interface OngoingMessage {
  readonly id: string;
  readonly subscriberId: string;
  readonly email: string;
  /** Normal form of the address. */
  readonly recipient: string;
  readonly name: string | null;
  /** What its template sees beside what is told of the person. */
  readonly data: FreeData;
}

/** Adds messages to an ongoing sending. Wake the lane's ledger once it has committed. */
export async function addMessages(
  tx: ScopedDb,
  { sendingId, lane }: { readonly sendingId: string; readonly lane: number },
  messages: readonly OngoingMessage[],
  now: Date,
): Promise<void> {
  const { recipients } = await tx.query
    .updateTable('transmissions')
    .set({ recipients: sql<number>`recipients + ${messages.length}` })
    .where('id', '=', sendingId)
    .returning('recipients')
    .executeTakeFirstOrThrow();
  const first = recipients - messages.length;
  await insertMessages(
    tx,
    { transmissionId: sendingId, lane, createdAt: now, dueAt: now },
    messages.map(({ id, subscriberId, email, recipient, name, data }, index) => ({
      ...{ id, position: first + index, recipient, address: email, name, header_to: null },
      target_id: targetOf(lane, domainOf(recipient)),
      subscriber_id: subscriberId,
      ...{ tags: null, metadata: null, substitution_data: data },
    })),
  );
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
  /** The address that it went to, in its normal form. */
  readonly recipient: string;
  /** Null: the message is of no type. */
  readonly subscriptionTypeId: string | null;
  /** When they unsubscribed by this message; null: they did not. */
  readonly unsubscribedAt: string | null;
}

/** Whom a message of a campaign is to; null for mail to an address alone. */
export async function findAddressee(db: ScopedDb, messageId: string): Promise<Addressee | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<Addressee>`
    select m.subscriber_id as "subscriberId", m.recipient, m.unsubscribed_at as "unsubscribedAt", t.options -> 'campaign' ->> 'subscriptionTypeId' as "subscriptionTypeId"
    from email_messages m
    join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
    where m.tenant_id = ${tenantId}::uuid and m.id = ${messageId}::uuid and m.subscriber_id is not null`,
  );
  return rows[0] ?? null;
}

/** Messages of each state in which the reason of a problem is looked for. */
const LOOKED_AT = 500;

/** The error of the first message of a sending that waits after a try, else of the first that failed; null: there is none. */
export async function findSendingProblem(db: ScopedDb, id: string): Promise<string | null> {
  for (const state of ['pending', 'failed'] as const) {
    const first = db.query
      .selectFrom('email_messages')
      .select(['position', 'last_error', 'status'])
      .where('transmission_id', '=', id)
      .where('state', '=', state)
      .orderBy('position')
      .limit(LOOKED_AT);
    const found = await db.query
      .selectFrom(first.as('first'))
      .select('last_error')
      .where('last_error', 'is not', null)
      .where('status', 'in', ['queued', 'failed'])
      .orderBy('position')
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) return found.last_error;
  }
  return null;
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
