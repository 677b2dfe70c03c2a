/**
 * The work queues of messages, one per lane: the attempt, and the outcome of its result
 * (docs/specification/transmissions.md#progress). Workers claim and build messages in batches before sending, as far as
 * memory allows. Both lanes share one queue with a slot per connection to the relay. A message occupies its slot until
 * it is acknowledged in the database, so a killed process leaves at most that many messages with an unknown result. No
 * recipient domain of a lane can occupy all slots.
 */

import { sql } from 'kysely';
import { isTenantUnavailable } from '../../../../db/tenant-unavailable.ts';
import type { SendResult } from '../../../../mail/transport.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import type { Claim } from '../../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../../work-queue/fair-queue.ts';
import type { Outcome, WorkQueue } from '../../../../work-queue/work-queue.ts';
import { emailEventDeliveries } from '../../email-event-webhooks/index.ts';
import { LANES } from '../tables.ts';
import {
  isAboutAccount,
  longestWaitSeconds,
  outcomeOfFault,
  outcomeOfPause,
  outcomeOfResult,
} from './attempt-outcome.ts';
import { loadWork, type Work } from './load.ts';
import {
  acknowledgeMessages,
  DATA_COLUMNS,
  type LoadedMessage,
  MESSAGE_COLUMNS,
  type MessageResult,
} from './queries.ts';
import { RelayWatch } from './relay-watch.ts';
import { SendingPauses } from './sending-pauses.ts';

/** Longest time from the claim of a message until it is sent, in ms. */
const MAX_WAIT_MS = 30_000;
/** Poll interval: short for a person, and long enough to collect a batch. */
const POLL_INTERVAL_MS = 200;

/** SQL for the earliest time of the first attempt of a message `l`. */
const SCHEDULED_AT = sql`(
  select t.scheduled_at from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  where m.tenant_id = l.tenant_id and m.id = l.id)`;

/** Queue and pauses of a process for sending to the relay. */
const relayOf = oncePerPlatform(({ config: { smtpConnections: total } }) => {
  const queue = new FairQueue({ total, perTarget: Math.max(1, total - Math.ceil(total / 4)) });
  return { queue, watch: new RelayWatch(queue, total), pauses: new SendingPauses() };
});

/**
 * Work queues of both lanes. Call `platform.workQueues.wake(workQueueOf(lane))` after a commit that inserts messages.
 */
export const messageQueues: readonly WorkQueue[] = [
  messageQueue('transactional-messages', 'email_messages_transactional', LANES.transactional),
  messageQueue('bulk-messages', 'email_messages_bulk', LANES.bulk),
];

/** Returns the work queue of a lane. @throws RangeError for an unknown lane. */
export function workQueueOf(lane: number): WorkQueue {
  const [transactional, bulk] = messageQueues;
  const workQueue = lane === LANES.transactional ? transactional : bulk;
  if (!workQueue) throw new RangeError(`There is no lane ${lane}.`);
  return workQueue;
}

function messageQueue(name: string, view: string, lane: number): WorkQueue {
  return defineWorkQueue<Work, MessageResult, LoadedMessage>({
    name,
    table: 'email_messages',
    view,
    columns: MESSAGE_COLUMNS,
    largeColumns: DATA_COLUMNS,
    // Number of messages claimed ahead.
    concurrency: ({ config }) => config.transmissionBatchSize,
    concurrencyPerTarget: 128,
    concurrencyPerTenant: 400,
    gate: { queue: (platform) => relayOf(platform).queue, lane, maxWaitMs: MAX_WAIT_MS, claimsAhead: true },
    minPollIntervalMs: POLL_INTERVAL_MS,
    dueTimes: {
      notBefore: SCHEDULED_AT,
      longestWaitSeconds: (_platform, attempts) => longestWaitSeconds(attempts),
    },
    load: loadWork,
    prepare: prepareMessage,
    attempt: sendMessage,
    release: (work) => work.release(),
    acknowledge: async (query, acks, platform) => {
      const deliveries = await acknowledgeMessages(query, acks, platform.clock());
      if (deliveries > 0) platform.workQueues.wake(emailEventDeliveries);
    },
  });
}

/** Builds the message. Returns the outcome if it is suppressed or cannot be built, else null. */
async function prepareMessage(
  platform: Platform,
  claim: Claim,
  { build, transmission }: Work,
): Promise<Outcome<MessageResult> | null> {
  try {
    const built = await build();
    if (!('kind' in built)) return null;
    // Failures while the process stops are not caused by the message.
    return platform.drain.started ? { kind: 'returned' } : built;
  } catch (error) {
    if (platform.drain.started) return { kind: 'returned' };
    // The work queue handles unavailable tenants.
    if (isTenantUnavailable(error)) throw error;
    platform.observe({ event: 'background.failed', task: 'build a message', error });
    const words = error instanceof Error ? error.message : String(error);
    const failed = { transmission, claim, at: platform.clock() };
    return outcomeOfFault(failed, `The message could not be rendered: ${words}`);
  }
}

async function sendMessage(
  platform: Platform,
  claim: Claim,
  { build, checkSuppression, transmission, recordsDelivery }: Work,
): Promise<Outcome<MessageResult>> {
  const built = await build();
  if ('kind' in built) return built;
  const end = await checkSuppression();
  if (end !== null) return end;
  const { message, renderedAt, mime } = built;
  const pause = relayOf(platform).pauses.find(transmission.id, platform.clock());
  if (pause !== null) return outcomeOfPause({ claim, at: platform.clock() }, pause);
  const sent = await platform.mail.send(claim.tenantId, message, mime);
  const at = platform.clock();
  watchRelay(platform, { tenantId: claim.tenantId, transmissionId: transmission.id, at }, sent);
  // The process stops and closed its connections; another one sends the message.
  if (sent.kind === 'unavailable' && platform.drain.started) return { kind: 'returned' };
  if (sent.kind !== 'sent') return outcomeOfResult({ transmission, claim, renderedAt, at }, sent);
  const { reply } = sent;
  const event = recordsDelivery && ({ type: 'delivery', occurredAt: at, detail: reply } as const);
  const times = { rendered_at: renderedAt, sent_at: at, ended_at: at };
  const result = { status: 'sent', ...times, relay_answer: reply } as const;
  return { kind: 'success', result: { ...result, ...(event && { event }) } };
}

/** A message that was sent or attempted. */
interface SendingAttempt {
  readonly tenantId: string;
  readonly transmissionId: string;
  readonly at: Date;
}

/**
 * Pauses all mail while the relay is unreachable or rejects the account, and a sending while the relay rejects its
 * sender. Logs the pauses.
 */
function watchRelay(
  platform: Platform,
  { tenantId, transmissionId, at }: SendingAttempt,
  sent: SendResult,
): void {
  if (platform.drain.started) return;
  const { watch, pauses } = relayOf(platform);
  const isRefused = sent.kind === 'rejected' && (sent.refused === 'account' || sent.refused === 'sender');
  const isOutage = sent.kind === 'unavailable' || isAboutAccount(sent);
  if (watch.report(!isOutage)) {
    const reason = sent.kind === 'unavailable' ? sent.error : sent.reply;
    platform.observe({ event: 'mail.paused', scope: 'relay', reason });
  }
  if (!isRefused) {
    if (sent.kind !== 'unavailable') pauses.accept(transmissionId);
    return;
  }
  platform.observe({
    event: 'mail.refused',
    refused: sent.refused,
    answer: sent.reply,
    tenantId,
    transmissionId,
  });
  const pause = pauses.refuse(transmissionId, sent.reply, at);
  if (pause !== null)
    platform.observe({
      event: 'mail.paused',
      scope: 'sending',
      reason: pause.reason,
      tenantId,
      transmissionId,
    });
}
