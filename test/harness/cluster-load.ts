/** Load of tenants during faults of a cluster, and checks that nothing was lost. */
import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import { CONNECTIONS, LOAD_BOUND_MS, type SiteTenant } from './cluster-site.ts';
import { undelivered } from './fault-site.ts';
import { transmissionBody, waitUntilEnded } from './mail.ts';
import { eventually } from './poll.ts';
import type { TestProcess } from './process.ts';
import type { Receiver } from './receiver.ts';
import { listSubmissionIds, type SubmissionStream, streamSubmissions } from './submission-load.ts';

/** Concurrent deliveries of one worker. If their results could not be stored, this many may be sent twice. */
const DELIVERIES_AT_ONCE = 16;
/** Maximum wait for leases to end, after which items are retried. */
const LEASE_BOUND_MS = 300_000;

/** A continuous stream of submissions of a tenant, and a transmission that is sent at the same time. */
export interface TenantLoad {
  readonly tenant: SiteTenant;
  readonly stream: SubmissionStream;
  readonly transmissionId: string;
  readonly messages: number;
}

/** Starts a transmission of `messages` messages and a continuous stream of submissions through a process. */
export async function startLoad(
  tenant: SiteTenant,
  process: TestProcess,
  messages: number,
): Promise<TenantLoad> {
  const recipients = Array.from({ length: messages }, (_, n) => ({
    address: `r${n}@domain${n % 10}.example`,
  }));
  const body = transmissionBody(tenant, {
    recipients,
    options: { transactional: true, open_tracking: true },
  });
  const sent = await tenant.at(process).send('POST', '/api/transmissions', { body });
  assert.equal(sent.status, 200, `${sent.text}\n${errorsOf(process)}`);
  const { transactionId } = sent.body;
  const stream = streamSubmissions(tenant.at(process), tenant.formCode);
  return { tenant, stream, transmissionId: transactionId, messages };
}

/** Returns the last errors that a process has logged. */
function errorsOf(process: TestProcess): string {
  const lines = process.output().split('\n');
  return lines
    .filter((line) => /error/i.test(line))
    .slice(-5)
    .join('\n');
}

/** Waits until each tenant has submissions, deliveries and sent mail. */
export async function untilUnderWay(loads: readonly TenantLoad[]): Promise<void> {
  for (const { tenant, stream } of loads) {
    await eventually(
      'submissions and their deliveries',
      () => stream.accepted.size >= 20 && tenant.received().length > 0,
      LOAD_BOUND_MS,
    );
    await eventually('mail', () => tenant.mailedTo().length >= 20, LOAD_BOUND_MS);
  }
}

/** Waits until `count` more submissions are accepted; returns their ids. */
export async function moreSubmissions({ stream }: TenantLoad, count: number): Promise<ReadonlySet<string>> {
  const before = new Set(stream.accepted);
  const isEnough = () => stream.accepted.size >= before.size + count;
  await eventually('more submissions', isEnough, LOAD_BOUND_MS);
  return stream.accepted.difference(before);
}

/** Asserts that a response says only that the service is unavailable, and nothing about the requested data. */
export function assertNotServed({ status, body }: Answer): void {
  assert.ok(status === 500 || status === 503, `status ${status}: ${JSON.stringify(body)}`);
  assert.deepEqual(Object.keys(body).sort(), ['code', 'message', 'request_id']);
}

/** Losses and repeats that the guarantees allow. */
export interface Room {
  /** True if requests may have been refused. */
  readonly refusals: boolean;
  /** Number of processes whose running attempts may have been lost, and so may be repeated. */
  readonly lostTrack: number;
}

/** For tenants that must not be affected. */
export const NONE: Room = { refusals: false, lostTrack: 0 };

/**
 * Stops a tenant's load and asserts that everything accepted is stored, delivered and sent, and that repeats and
 * refusals stay within `room`.
 */
export async function assertNothingLost(
  { tenant, stream, transmissionId, messages }: TenantLoad,
  receiver: Receiver,
  room: Room,
): Promise<void> {
  await stream.stop();
  assert.equal(stream.failed, 0, 'every request is answered');
  stream.refused.forEach(assertNotServed);
  if (!room.refusals) assert.equal(stream.refused.length, 0, 'no request is refused');
  const stored = await listSubmissionIds(tenant.api, tenant.formCode);
  assert.deepEqual([...stream.accepted.difference(stored)], [], 'no submission is lost');
  await eventually('all deliveries', () => undelivered(stored, receiver).length === 0, LEASE_BOUND_MS);
  const { counts } = await waitUntilEnded(tenant, transmissionId, LEASE_BOUND_MS);
  assert.equal(counts.sent, messages);
  assert.equal(new Set(tenant.mailedTo()).size, messages, 'no message is lost');
  const delivered = tenant.received().map(({ body }) => body.data.id);
  assertRepeats('deliveries', delivered, room.lostTrack * DELIVERIES_AT_ONCE);
  assertRepeats('messages', tenant.mailedTo(), room.lostTrack * CONNECTIONS);
}

function assertRepeats(what: string, all: readonly string[], most: number): void {
  const repeats = all.length - new Set(all).size;
  assert.ok(repeats <= most, `${repeats} ${what} are repeated`);
}
