/**
 * The ledgers of messages, one for each lane: what one attempt does, and what its result means (decisions section 5).
 * Messages are claimed and rendered in batches ahead of their hand-over; the gate bounds how many are on their way.
 */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import {
  type Claim,
  defineLedger,
  type Ledger,
  type Outcome,
  type Settlement,
} from '../../../ledger/ledger.ts';
import { buildMime, type MailMessage } from '../../../mail/message.ts';
import { SEND_DEADLINE_MS } from '../../../mail/smtp-transport.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { SecretBoxError } from '../../../secrets/secret-box.ts';
import { emailEventDeliveries } from '../../email-event-webhooks/index.ts';
import { type MessageEvent, writeMessageEvents } from '../../email-tracking/index.ts';
import { LANES } from '../tables.ts';
import { composeMessage } from './compose.ts';
import { HandOverGate, type Leave } from './hand-over-gate.ts';
import { loadWork, type Work } from './load.ts';
import { type MessageResult, noteResults } from './queries.ts';
import { sentNotes } from './sent-notes.ts';
import { judge, longestWaitSeconds } from './verdict.ts';

/** How long a message waits at most from its claim until it is handed over, milliseconds. */
const MAX_WAIT_MS = 30_000;
/** Beyond waiting and sending: time to claim before it and to settle after it. */
const LEASE_MARGIN_SECONDS = 10;
/** Short for a person, and long enough for a batch that is worth rendering together. */
const CLAIM_EVERY_MS = 200;

/** What the first attempt of a message `l` waits for. */
const SCHEDULED_AT = sql`(
  select t.scheduled_at from email_messages m
  join transmissions t on t.tenant_id = m.tenant_id and t.id = m.transmission_id
  where m.tenant_id = l.tenant_id and m.id = l.id)`;

const gates = oncePerPlatform(({ config: { smtpConnections: places } }) => {
  const placesPerTarget = Math.max(1, places - Math.ceil(places / 4));
  return new HandOverGate({ places, placesPerTarget });
});

/** What the statement that settles a claim needs to know beyond its outcome. */
interface Findings {
  readonly result?: MessageResult;
  readonly event?: MessageEvent;
  readonly leave?: Leave;
}

const findings = new WeakMap<Claim, Findings>();

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
  return defineLedger<Work>({
    name,
    table,
    concurrency: ({ config }) => config.transmissionBatchSize,
    // What one domain or one tenant may have claimed ahead; the gate bounds what is on its way.
    concurrencyPerTarget: 128,
    concurrencyPerTenant: 400,
    claimEveryMs: CLAIM_EVERY_MS,
    dueTimes: {
      notBefore: SCHEDULED_AT,
      longestWaitSeconds: (_platform, attempts) => longestWaitSeconds(attempts),
    },
    leaseSeconds: () => (MAX_WAIT_MS + SEND_DEADLINE_MS) / 1000 + LEASE_MARGIN_SECONDS,
    load: loadWork,
    attempt: (platform, claim, work) => attemptMessage(platform, lane, claim, work),
    afterSettle: noteFindings,
    afterCommit: (platform, settlements) => {
      const found = settlements.map(({ claim }) => findings.get(claim));
      for (const each of found) each?.leave?.();
      if (found.some((each) => each?.event)) platform.ledgers.wake(emailEventDeliveries);
    },
  });
}

async function attemptMessage(platform: Platform, lane: number, claim: Claim, work: Work): Promise<Outcome> {
  if (work.kind === 'suppressed') {
    const result = { status: 'suppressed', suppressedBy: work.by, endedAt: platform.clock() } as const;
    findings.set(claim, { result });
    return { kind: 'failed', statusCode: null, error: `Suppressed: ${work.by}.` };
  }
  const made = await makeMessage(platform, claim, work);
  // What a process that stops takes away from a message is no fault of it.
  if ('kind' in made) return platform.drain.started ? { kind: 'abandoned' } : made;
  // Files are large, and hundreds of messages wait for their turn: those that have some are written in it.
  const ahead = made.message.attachments.length === 0 ? await writeMime(claim, made) : null;
  if (ahead !== null && !Buffer.isBuffer(ahead)) return ahead;
  const { tenantId, targetId } = claim;
  const maxWaitMs = MAX_WAIT_MS - (performance.now() - work.claimedAt);
  const gate = gates(platform);
  const leave = await gate.enter({ lane, tenantId, targetId, maxWaitMs });
  if (leave === null) return { kind: 'abandoned' };
  if (platform.clock() >= new Date(claim.leasedUntil)) {
    // The clock was set forward: another process may have the message by now.
    leave();
    return { kind: 'abandoned' };
  }
  findings.set(claim, { leave });
  const mime = ahead ?? (await writeMime(claim, made));
  if (!Buffer.isBuffer(mime)) {
    leave();
    return mime;
  }
  const sent = await platform.mail.send(tenantId, made.message, mime);
  gate.report(sent.kind !== 'unavailable' || platform.drain.started);
  const { renderedAt } = made;
  const at = platform.clock();
  if (sent.kind !== 'sent') {
    // The process let its connections go; another one sends it.
    if (sent.kind === 'unavailable' && platform.drain.started) return { kind: 'abandoned' };
    const { outcome, ...found } = judge({ ...work, claim, renderedAt, at }, sent);
    findings.set(claim, { leave, ...found });
    return outcome;
  }
  const { tellsDelivery } = work;
  const message = { claim, renderedAt, sentAt: at, answer: sent.answer, tellsDelivery };
  const isNoted = await sentNotes(platform).add(message);
  leave();
  return isNoted ? { kind: 'success', statusCode: null, isSettled: true } : { kind: 'abandoned' };
}

interface MadeMessage {
  readonly message: MailMessage;
  readonly renderedAt: Date;
}

/** The message as it goes out, or the end of this attempt. */
async function makeMessage(
  platform: Platform,
  claim: Claim,
  work: Extract<Work, { kind: 'send' }>,
): Promise<MadeMessage | Outcome> {
  const rendered = await work.rendered;
  const renderedAt = platform.clock();
  if (!rendered.ok) {
    const { error } = rendered;
    findings.set(claim, { result: { status: 'failed', renderError: error, endedAt: renderedAt } });
    return { kind: 'failed', statusCode: null, error: error.message };
  }
  const attachments = await work.attachments;
  if (!attachments.ok) return failed(claim, renderedAt, attachments.error);
  try {
    const sender = { ...work.sender, dkim: await work.sender.dkim };
    return {
      message: composeMessage(platform, { ...work, rendered, sender, files: attachments.files }),
      renderedAt,
    };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return failed(
      claim,
      renderedAt,
      'The key of the sending domain cannot be opened: SECRET_KEY has changed.',
    );
  }
}

/** The message's bytes, or the end of this attempt. */
async function writeMime(claim: Claim, { message, renderedAt }: MadeMessage): Promise<Buffer | Outcome> {
  try {
    return await buildMime(message);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed(claim, renderedAt, `The message cannot be built: ${error.message}.`);
  }
}

function failed(claim: Claim, renderedAt: Date, error: string): Outcome {
  findings.set(claim, { result: { status: 'failed', renderedAt, endedAt: renderedAt } });
  return { kind: 'failed', statusCode: null, error };
}

/** Writes what attempts found out, in the transaction that settles them. */
async function noteFindings(query: Kysely<Tables>, settlements: readonly Settlement[]): Promise<void> {
  const results: Parameters<typeof noteResults>[1][number][] = [];
  const events: MessageEvent[] = [];
  let now = new Date(0);
  for (const { claim, outcome, at } of settlements) {
    if (outcome.kind === 'abandoned' || outcome.kind === 'drop') continue;
    const { result, event } = findings.get(claim) ?? {};
    if (result) results.push({ ...claim, ...result });
    if (event) events.push(event);
    now = at;
  }
  if (results.length > 0) await noteResults(query, results);
  if (events.length > 0) await writeMessageEvents(query, events, now);
}
