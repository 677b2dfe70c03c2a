/**
 * The ledgers of messages, one for each lane: what one attempt does, and what its result means
 * (docs/specification/transmissions.md#progress). Messages are claimed and made in batches ahead of their
 * hand-over, as far as there is memory. Both lanes share one queue for it: as many places as there are connections to the relay, kept
 * until the message is settled in the database, so that a process that dies leaves at most that many messages
 * of which it is not known whether they left; no recipient domain of a lane takes all of them.
 */
import { sql } from 'kysely';
import { isNodeUnavailable } from '../../../db/node-unavailable.ts';
import { FairQueue } from '../../../ledger/fair-queue.ts';
import { type Claim, defineLedger, type Ledger, type Outcome } from '../../../ledger/ledger.ts';
import { SEND_DEADLINE_MS } from '../../../mail/smtp-transport.ts';
import type { SendResult } from '../../../mail/transport.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { emailEventDeliveries } from '../../email-event-webhooks/index.ts';
import { LANES } from '../tables.ts';
import { loadWork, type Work } from './load.ts';
import {
  DATA_COLUMNS,
  type LoadedMessage,
  MESSAGE_COLUMNS,
  type MessageNote,
  settleMessages,
} from './queries.ts';
import { RelayWatch } from './relay-watch.ts';
import { SendingPauses } from './sending-pauses.ts';
import { isAboutAccount, judge, judgeFault, judgePause, longestWaitSeconds } from './verdict.ts';

/** How long a message waits at most from its claim until it is handed over, milliseconds. */
const MAX_WAIT_MS = 30_000;
/** Beyond waiting and sending: time to claim before it and to settle after it. */
const LEASE_MARGIN_SECONDS = 10;
/** Short for a person, and long enough for a batch that is worth rendering together. */
const LOOK_EVERY_MS = 200;

/** What the first attempt of a message `l` waits for. */
const SCHEDULED_AT = sql`(
  select t.scheduled_at from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  where m.tenant_id = l.tenant_id and m.id = l.id)`;

/** The way to the relay of a process. */
const handOver = oncePerPlatform(({ config: { smtpConnections: inAll } }) => {
  const queue = new FairQueue({ inAll, perTarget: Math.max(1, inAll - Math.ceil(inAll / 4)) });
  return { queue, watch: new RelayWatch(queue, inAll), pauses: new SendingPauses() };
});

/** Messages of both lanes. `platform.ledgers.wake(ledgerOf(lane))` after a commit that wrote some. */
export const messageLedgers: readonly Ledger[] = [
  messageLedger('transactional-messages', 'email_messages_transactional', LANES.transactional),
  messageLedger('bulk-messages', 'email_messages_bulk', LANES.bulk),
];

/** The ledger of a lane. */
export function ledgerOf(lane: number): Ledger {
  const [transactional, bulk] = messageLedgers;
  const ledger = lane === LANES.transactional ? transactional : bulk;
  if (!ledger) throw new RangeError(`There is no lane ${lane}.`);
  return ledger;
}

function messageLedger(name: string, view: string, lane: number): Ledger {
  return defineLedger<Work, MessageNote, LoadedMessage>({
    name,
    table: 'email_messages',
    view,
    columns: MESSAGE_COLUMNS,
    largeColumns: DATA_COLUMNS,
    // What may be claimed ahead.
    concurrency: ({ config }) => config.transmissionBatchSize,
    concurrencyPerTarget: 128,
    concurrencyPerTenant: 400,
    gate: { queue: (platform) => handOver(platform).queue, lane, maxWaitMs: MAX_WAIT_MS, claimsAhead: true },
    minPollIntervalMs: LOOK_EVERY_MS,
    dueTimes: {
      notBefore: SCHEDULED_AT,
      longestWaitSeconds: (_platform, attempts) => longestWaitSeconds(attempts),
    },
    leaseSeconds: () => (MAX_WAIT_MS + SEND_DEADLINE_MS) / 1000 + LEASE_MARGIN_SECONDS,
    load: loadWork,
    prepare: prepareMessage,
    attempt: sendMessage,
    release: (work) => work.release(),
    settle: async (query, settlements, platform) => {
      const deliveries = await settleMessages(query, settlements, platform.clock());
      if (deliveries > 0) platform.ledgers.wake(emailEventDeliveries);
    },
  });
}

/** Ends the attempts of messages that are not to be sent, or cannot be made. */
async function prepareMessage(
  platform: Platform,
  claim: Claim,
  { made, transmission }: Work,
): Promise<Outcome<MessageNote> | null> {
  try {
    const result = await made();
    if (!('kind' in result)) return null;
    // What a process that stops takes away from a message is no fault of it.
    return platform.drain.started && result.kind !== 'returned' ? { kind: 'abandoned' } : result;
  } catch (error) {
    if (platform.drain.started) return { kind: 'abandoned' };
    // Nor what a node that is away holds back: the ledger knows.
    if (isNodeUnavailable(error)) throw error;
    platform.observe({ event: 'background.failed', task: 'make a message', error });
    const words = error instanceof Error ? error.message : String(error);
    const failed = { transmission, claim, at: platform.clock() };
    return judgeFault(failed, `The message could not be made: ${words}`);
  }
}

async function sendMessage(
  platform: Platform,
  claim: Claim,
  { made, keptBack, transmission, tellsDelivery }: Work,
): Promise<Outcome<MessageNote>> {
  const result = await made();
  if ('kind' in result) return result;
  const end = await keptBack();
  if (end !== null) return end;
  const { message, renderedAt, mime } = result;
  const pause = handOver(platform).pauses.find(transmission.id, platform.clock());
  if (pause !== null) return judgePause({ claim, at: platform.clock() }, pause);
  const sent = await platform.mail.send(claim.tenantId, message, mime);
  const at = platform.clock();
  watchRelay(platform, { tenantId: claim.tenantId, transmissionId: transmission.id, at }, sent);
  // The process let its connections go; another one sends it.
  if (sent.kind === 'unavailable' && platform.drain.started) return { kind: 'abandoned' };
  if (sent.kind !== 'sent') return judge({ transmission, claim, renderedAt, at }, sent);
  const { answer } = sent;
  const event = tellsDelivery && ({ type: 'delivery', occurredAt: at, detail: answer } as const);
  const times = { rendered_at: renderedAt, sent_at: at, ended_at: at };
  const note = { status: 'sent', ...times, relay_answer: answer } as const;
  return { kind: 'success', note: { ...note, ...(event && { event }) } };
}

/** A message that was handed over, or was to be. */
interface HandOver {
  readonly tenantId: string;
  readonly transmissionId: string;
  readonly at: Date;
}

/** Pauses everything while the relay is away or refuses all mail, one sending while it refuses that one; logs it for the operator. */
function watchRelay(platform: Platform, { tenantId, transmissionId, at }: HandOver, sent: SendResult): void {
  if (platform.drain.started) return;
  const { watch, pauses } = handOver(platform);
  const isRefused = sent.kind === 'rejected' && (sent.refused === 'account' || sent.refused === 'sender');
  const isAway = sent.kind === 'unavailable' || isAboutAccount(sent);
  if (watch.report(!isAway)) {
    const reason = sent.kind === 'unavailable' ? sent.error : sent.answer;
    platform.observe({ event: 'mail.paused', scope: 'relay', reason });
  }
  if (!isRefused) {
    if (sent.kind !== 'unavailable') pauses.accept(transmissionId);
    return;
  }
  platform.observe({
    event: 'mail.refused',
    refused: sent.refused,
    answer: sent.answer,
    tenantId,
    transmissionId,
  });
  const pause = pauses.refuse(transmissionId, sent.answer, at);
  if (pause !== null)
    platform.observe({
      event: 'mail.paused',
      scope: 'sending',
      reason: pause.reason,
      tenantId,
      transmissionId,
    });
}
