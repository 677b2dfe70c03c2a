/** The work queue of messages to publish to the broker. Messages wait while the broker is unavailable. */

import { reserveMemory } from '../../../memory/reserve-memory.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import type { Outcome } from '../../../work-queue/work-queue.ts';
import { brokerPublisher } from './broker.ts';
import { CHAIN_HEADER, signChain } from './chain-token.ts';
import { deliverDirectly } from './messages.ts';
import { brokerQueue } from './names.ts';
import { QUEUE_OUTBOX } from './outbox-name.ts';
import { findOutgoing, type Message } from './queries.ts';
import { WAITING_HOURS } from './retention.ts';
import { tenantCode } from './tenant-codes.ts';

/** Concurrent publications. */
const CONCURRENCY = 16;
/** Bodies up to this size are published without reserving memory, in bytes. */
const SMALL_BYTES = 64 * 1024;
const UNLIMITED = 2 ** 31 - 1;
/** Copies in memory: database text, published text, and bytes. */
const COPIES = 4;
/** Lower priority than mail and webhook deliveries, like runs. */
const LANE = 3;
const MAX_WAIT_MS = 5_000;
const MAX_RETRY_SECONDS = 30;

/** Slots for concurrent publications of a process; none while the broker is unavailable. */
const publisherSlots = oncePerPlatform((platform) => {
  const queue = new FairQueue({ total: CONCURRENCY, perTarget: CONCURRENCY });
  if (platform.config.amqpUrl !== null)
    brokerPublisher(platform).watch((isConnected) => queue.open(isConnected ? CONCURRENCY : 0));
  return queue;
});

/** Publishes stored messages. If the broker has been removed from the configuration, they are delivered directly. */
export const queueOutbox = defineWorkQueue<Message['id']>({
  ...QUEUE_OUTBOX,
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY,
  concurrencyPerTenant: CONCURRENCY,
  gate: { queue: publisherSlots, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes: { longestWaitSeconds: (_platform, attempts) => retrySeconds(attempts) },
  load: (_platform, claims) => new Map(claims.map(({ id }) => [id, id])),
  attempt: publishClaimed,
});

async function publishClaimed(platform: Platform, claim: Claim): Promise<Outcome> {
  const db = platform.scoped(wholeTenant(claim.tenantId));
  const found = await findOutgoing(db, claim.id, SMALL_BYTES);
  if (found === undefined) return { kind: 'drop' };
  const { body } = found;
  if (body !== null) return forward(platform, claim, { ...found, body });
  const { tenantId } = claim;
  const request = { tenantId, lane: LANE, bytes: found.bytes * COPIES, maxWaitMs: MAX_WAIT_MS };
  const release = await reserveMemory(platform, 'outgoingWork', request);
  if (release === null) return { kind: 'returned' };
  try {
    const large = await findOutgoing(db, claim.id, UNLIMITED);
    if (large === undefined || large.body === null) return { kind: 'drop' };
    return await forward(platform, claim, { ...large, body: large.body });
  } finally {
    release();
  }
}

async function forward(platform: Platform, claim: Claim, message: Message): Promise<Outcome> {
  if (platform.config.amqpUrl === null) return deliverWithoutBroker(platform, claim, message);
  try {
    await publish(platform, claim.tenantId, message);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const seconds = retrySeconds(claim.attempts + 1);
    const dueAt = new Date(platform.clock().getTime() + seconds * 1000);
    return { kind: 'retry', error: `The broker did not accept the message: ${text}`, dueAt };
  }
  return { kind: 'drop' };
}

async function publish(platform: Platform, tenantId: string, message: Message): Promise<void> {
  const { id, queue, body, cause } = message;
  const code = await tenantCode(platform, tenantId);
  const envelope = {
    messageId: id,
    appId: 'tessera',
    contentType: 'application/json',
    expiration: String(WAITING_HOURS * 3_600_000),
    ...(cause && {
      headers: { [CHAIN_HEADER]: signChain(platform.tokens, { id, cause }, platform.clock()) },
    }),
  };
  await brokerPublisher(platform).publisher.publish(brokerQueue(code, queue), envelope, Buffer.from(body));
}

/** Delivering twice is safe: a run stores the id of its message. */
async function deliverWithoutBroker(
  platform: Platform,
  { tenantId }: Claim,
  message: Message,
): Promise<Outcome> {
  const now = platform.clock();
  await platform
    .scoped(wholeTenant(tenantId))
    .transaction((db) => deliverDirectly({ platform, db, now }, message));
  return { kind: 'drop' };
}

function retrySeconds(attempts: number): number {
  return Math.min(2 ** (attempts - 1), MAX_RETRY_SECONDS);
}
