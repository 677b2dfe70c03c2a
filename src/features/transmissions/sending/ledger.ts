/**
 * The ledgers of messages, one for each lane: what one attempt does, and what its result means (decisions section 5).
 * Messages are claimed and rendered in batches ahead of their hand-over. Both lanes share one queue for it: as many
 * places as there are connections to the relay, kept until the message is settled in the database, so that a process
 * that dies leaves at most that many messages of which it is not known whether they left; no recipient domain of a lane
 * takes all of them.
 */
import { sql } from 'kysely';
import { FairQueue } from '../../../ledger/fair-queue.ts';
import { type Claim, defineLedger, type Ledger, type Outcome } from '../../../ledger/ledger.ts';
import { SEND_DEADLINE_MS } from '../../../mail/smtp-transport.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { emailEventDeliveries } from '../../email-event-webhooks/index.ts';
import { LANES } from '../tables.ts';
import { loadWork, type Work } from './load.ts';
import { writeMime } from './make-message.ts';
import { type MessageNote, settleMessages } from './queries.ts';
import { RelayWatch } from './relay-watch.ts';
import { judge, judgeFault, longestWaitSeconds } from './verdict.ts';

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
  return { queue, watch: new RelayWatch(queue, inAll) };
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

function messageLedger(name: string, table: string, lane: number): Ledger {
  return defineLedger<Work, MessageNote>({
    name,
    table,
    // What may be claimed ahead.
    concurrency: ({ config }) => config.transmissionBatchSize,
    concurrencyPerTarget: 128,
    concurrencyPerTenant: 400,
    gate: { queue: (platform) => handOver(platform).queue, lane, maxWaitMs: MAX_WAIT_MS },
    lookEveryMs: LOOK_EVERY_MS,
    dueTimes: {
      notBefore: SCHEDULED_AT,
      longestWaitSeconds: (_platform, attempts) => longestWaitSeconds(attempts),
    },
    leaseSeconds: () => (MAX_WAIT_MS + SEND_DEADLINE_MS) / 1000 + LEASE_MARGIN_SECONDS,
    load: loadWork,
    prepare: prepareMessage,
    attempt: sendMessage,
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
  work: Work,
): Promise<Outcome<MessageNote> | null> {
  const at = platform.clock();
  if (work.kind === 'suppressed') {
    const note = { status: 'suppressed', suppressedBy: work.by, endedAt: at } as const;
    return { kind: 'failed', error: `Suppressed: ${work.by}.`, note };
  }
  try {
    const made = await work.made;
    if (!('kind' in made)) return null;
    // What a process that stops takes away from a message is no fault of it.
    return platform.drain.started ? { kind: 'abandoned' } : made;
  } catch (error) {
    if (platform.drain.started) return { kind: 'abandoned' };
    platform.observe({ event: 'background.failed', task: 'make a message', error });
    const words = error instanceof Error ? error.message : String(error);
    return judgeFault({ ...work, claim, at }, `The message could not be made: ${words}`);
  }
}

async function sendMessage(platform: Platform, claim: Claim, work: Work): Promise<Outcome<MessageNote>> {
  const made = work.kind === 'send' && (await work.made);
  if (!made || 'kind' in made) throw new TypeError('Only a message that was made can be sent.');
  const { message, renderedAt } = made;
  // Files are large, and hundreds of messages wait for their turn: those that have some are written in it.
  const mime = made.mime ?? (await writeMime(message, renderedAt));
  if (!Buffer.isBuffer(mime)) return mime;
  const sent = await platform.mail.send(claim.tenantId, message, mime);
  handOver(platform).watch.report(sent.kind !== 'unavailable' || platform.drain.started);
  const at = platform.clock();
  if (sent.kind === 'sent') {
    const { answer } = sent;
    const event = work.tellsDelivery && ({ type: 'delivery', occurredAt: at, detail: answer } as const);
    const note = {
      status: 'sent',
      renderedAt,
      sentAt: at,
      answer,
      endedAt: at,
      ...(event && { event }),
    } as const;
    return { kind: 'success', note };
  }
  // The process let its connections go; another one sends it.
  if (sent.kind === 'unavailable' && platform.drain.started) return { kind: 'abandoned' };
  return judge({ ...work, claim, renderedAt, at }, sent);
}
