/** Sendings of campaigns: transmissions whose messages are inserted in batches while the first are already sent. */
import { type SqlBool, sql } from 'kysely';
import { domainOf } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { targetOf, toMessages } from './create.ts';
import { insertMessages, insertTransmission } from './queries.ts';
import { workQueueOf } from './sending/queue.ts';
import { type FreeData, LANES, type StoredCampaign, type StoredContent } from './tables.ts';

/** Lane of campaign messages; transactional mail has priority. */
export const CAMPAIGN_LANE = LANES.bulk;

/** Wakes the work queue of campaign messages, after a commit that inserted some. */
export function wakeCampaignQueue({ workQueues }: Platform): void {
  workQueues.wake(workQueueOf(CAMPAIGN_LANE));
}

/** The platform, whose work queue sends new messages, and the current time. */
interface SendingContext {
  readonly platform: Platform;
  readonly now: Date;
}

/** A new sending. */
export interface NewSending {
  readonly id: string;
  readonly ownerBuId: string;
  /** Campaign id in event webhooks. */
  readonly campaignId: string;
  readonly description: string;
  readonly campaign: StoredCampaign;
  readonly content: StoredContent;
  readonly openTracking: boolean;
  readonly clickTracking: boolean;
  /** Template data of the campaign. */
  readonly data: object;
  /** Test mail, sent to addresses instead of subscribers, even if suppressed. */
  readonly isTest?: true;
  /** Sent also to unsubscribed recipients, and before other mail. */
  readonly isTransactional?: boolean;
  /** Ongoing: `addMessages` adds messages at any time. */
  readonly isOngoing?: true;
  /** The sending that this one retries; this one has content but no messages of its own. */
  readonly contentFor?: string;
}

/** Inserts a sending without messages. */
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
    id,
    owner_bu_id: ownerBuId,
    created_at: now,
    scheduled_at: null,
    generated_at: isTest || isOngoing ? now : null,
    cancelled_at: null,
    description,
    campaign_id: campaignId,
    transactional: isTransactional,
    content,
    options: JSON.stringify(options),
    tags: '[]',
    metadata: null,
    return_path: null,
    recipients: 0,
    substitution_data: JSON.stringify(data),
    ...(sending.contentFor === undefined ? {} : { content_for: sending.contentFor }),
  });
}

/** Maximum number of messages in one retry. */
const MAX_RETRIED = 50_000;
/** SQL that is true for a message that could not be built; the condition of a partial index. */
const IS_UNBUILT = sql<SqlBool>`status = 'failed' and render_error is not null`;

/** Counts the messages that could not be built, by sending. */
export async function countUnbuilt(
  db: ScopedDb,
  sendingIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sendingIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('email_messages')
    .where('transmission_id', '=', sql<string>`any(${sendingIds}::uuid[])`)
    .where(IS_UNBUILT)
    .groupBy('transmission_id')
    .select(['transmission_id', sql<number>`count(*)::int`.as('count')])
    .execute();
  return new Map(rows.map(({ transmission_id, count }) => [transmission_id, count]));
}

/**
 * Queues the messages of a sending that could not be built again, with the content of `retry`; at most MAX_RETRIED.
 * Returns their number.
 */
export async function retryUnbuilt(
  tx: ScopedDb,
  { platform, now }: SendingContext,
  sendingId: string,
  retry: NewSending,
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
      order by u.id limit ${MAX_RETRIED} for update)
    returning m.id`,
  );
  tx.afterCommit(() => wakeCampaignQueue(platform));
  return rows.length;
}

/** A message to a subscriber in an ongoing sending. */
export interface OngoingMessage {
  readonly id: string;
  readonly subscriberId: string;
  readonly email: string;
  /** Normalized address. */
  readonly recipient: string;
  readonly name: string | null;
  /** Template data in addition to those of the subscriber. */
  readonly data: FreeData;
}

/** Adds messages to an ongoing sending. */
export async function addMessages(
  tx: ScopedDb,
  { platform, now }: SendingContext,
  sendingId: string,
  messages: readonly OngoingMessage[],
): Promise<void> {
  const { recipients, transactional } = await tx.query
    .updateTable('transmissions')
    .set({ recipients: sql<number>`recipients + ${messages.length}` })
    .where('id', '=', sendingId)
    .returning(['recipients', 'transactional'])
    .executeTakeFirstOrThrow();
  const lane = transactional ? LANES.transactional : LANES.bulk;
  const first = recipients - messages.length;
  await insertMessages(
    tx,
    { transmissionId: sendingId, lane, createdAt: now, dueAt: now },
    messages.map(({ id, subscriberId, email, recipient, name, data }, index) => ({
      id,
      position: first + index,
      recipient,
      address: email,
      name,
      header_to: null,
      target_id: targetOf(lane, domainOf(recipient)),
      subscriber_id: subscriberId,
      tags: null,
      metadata: null,
      substitution_data: data,
    })),
  );
  tx.afterCommit(() => platform.workQueues.wake(workQueueOf(lane)));
}

/** Sends a test to addresses instead of subscribers. `dataOf` returns the template data of a message by its id. */
export async function sendTest(
  tx: ScopedDb,
  { platform, now }: SendingContext,
  sending: NewSending,
  addresses: readonly string[],
  dataOf: (messageId: string) => FreeData,
): Promise<void> {
  const { id: transmissionId } = sending;
  await beginSending(tx, { ...sending, isTest: true }, now);
  await finishInserting(tx, transmissionId, addresses.length, now);
  const messages = toMessages({ recipients: addresses.map((address) => ({ address })) }, CAMPAIGN_LANE);
  await insertMessages(
    tx,
    { transmissionId, lane: CAMPAIGN_LANE, createdAt: now, dueAt: now },
    messages.map((message) => ({ ...message, substitution_data: dataOf(message.id) })),
  );
  tx.afterCommit(() => wakeCampaignQueue(platform));
}

/** Records that all messages of a sending are inserted. */
export async function finishInserting(
  tx: ScopedDb,
  id: string,
  recipients: number,
  now: Date,
): Promise<void> {
  const columns = { generated_at: now, recipients };
  await tx.query.updateTable('transmissions').set(columns).where('id', '=', id).execute();
}

/** Cancels a sending: no further message is sent. */
export async function cancelSending(tx: ScopedDb, id: string, now: Date): Promise<void> {
  const cancelled = sql<Date>`coalesce(cancelled_at, ${now})`;
  await tx.query.updateTable('transmissions').set({ cancelled_at: cancelled }).where('id', '=', id).execute();
}

/** The recipient of a campaign message. */
export interface CampaignRecipient {
  readonly subscriberId: string;
  /** Normalized address of the message. */
  readonly recipient: string;
  /** Null for a message without a type. */
  readonly subscriptionTypeId: string | null;
  /** Time of an unsubscribe through this message, or null. */
  readonly unsubscribedAt: string | null;
}

/** Returns the recipient of a campaign message; null for mail to an address alone. */
export async function findCampaignRecipient(
  db: ScopedDb,
  messageId: string,
): Promise<CampaignRecipient | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<CampaignRecipient>`
    select m.subscriber_id as "subscriberId", m.recipient, m.unsubscribed_at as "unsubscribedAt", t.options -> 'campaign' ->> 'subscriptionTypeId' as "subscriptionTypeId"
    from email_messages m
    join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
    where m.tenant_id = ${tenantId}::uuid and m.id = ${messageId}::uuid and m.subscriber_id is not null`,
  );
  return rows[0] ?? null;
}

/** Number of messages per state that are searched for the reason of a problem. */
const MAX_SCANNED = 500;

/** Returns the error of a sending's first message that waits for a retry, else of the first failed one, or null. */
export async function findSendingProblem(db: ScopedDb, id: string): Promise<string | null> {
  for (const state of ['pending', 'failed'] as const) {
    const first = db.query
      .selectFrom('email_messages')
      .select(['position', 'last_error', 'status'])
      .where('transmission_id', '=', id)
      .where('state', '=', state)
      .orderBy('position')
      .limit(MAX_SCANNED);
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

/** Returns the position of the first pending message from `position` on; null if there is none. */
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
