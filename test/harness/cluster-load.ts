/** What the tenants of a cluster do while something happens to it, and whether anything of it was lost. */
import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import { CONNECTIONS, type SiteTenant } from './cluster-site.ts';
import { undelivered } from './fault-site.ts';
import { transmissionBody, waitUntilEnded } from './mail.ts';
import { eventually } from './poll.ts';
import type { TestProcess } from './process.ts';
import type { Receiver } from './receiver.ts';
import { listSubmissionIds, type SubmissionStream, streamSubmissions } from './submission-load.ts';

/** Deliveries under way at once in one worker: as many may be repeated when nobody could note what came of them. */
const DELIVERIES_AT_ONCE = 16;
/** What a lease holds comes back when it ends: that of a message is the longest. */
const LEASE_BOUND_MS = 300_000;
/** Processes find a node that has come back when they next look, and a busy machine takes its time. */
export const RETURN_BOUND_MS = 120_000;

/** Submissions of a tenant that come one after the other, and a transmission that goes out beside them. */
export interface TenantLoad {
  readonly tenant: SiteTenant;
  readonly stream: SubmissionStream;
  readonly transmissionId: string;
  readonly messages: number;
}

/** Has a tenant send a transmission of so many messages, and submit without end, through a process. */
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

/** The last errors that a process has logged. */
function errorsOf(process: TestProcess): string {
  const lines = process.output().split('\n');
  return lines
    .filter((line) => /error/i.test(line))
    .slice(-5)
    .join('\n');
}

/** Waits until all are submitting, and have been delivered and mailed something. */
export async function untilUnderWay(loads: readonly TenantLoad[]): Promise<void> {
  for (const { tenant, stream } of loads) {
    await eventually(
      'submissions and their deliveries',
      () => stream.accepted.size >= 20 && tenant.received().length > 0,
    );
    await eventually('mail', () => tenant.mailedTo().length >= 20);
  }
}

/** Waits until so many more submissions are accepted, and returns their ids. */
export async function moreSubmissions({ stream }: TenantLoad, count: number): Promise<ReadonlySet<string>> {
  const before = new Set(stream.accepted);
  const isEnough = () => stream.accepted.size >= before.size + count;
  await eventually('more submissions', isEnough, RETURN_BOUND_MS);
  return stream.accepted.difference(before);
}

/** That a request is not served now, and nothing about what it asked for. */
export function assertNotServed({ status, body }: Answer): void {
  assert.ok(status === 500 || status === 503, `status ${status}: ${JSON.stringify(body)}`);
  assert.deepEqual(Object.keys(body).sort(), ['code', 'message', 'request_id']);
}

/** What the promise leaves room for. */
export interface Room {
  /** Whether requests may have been refused. */
  readonly refusals: boolean;
  /** Of how many processes it may be unknown what came of what they had under way: so much may be repeated. */
  readonly lostTrack: number;
}

/** For those who should not notice anything. */
export const NONE: Room = { refusals: false, lostTrack: 0 };

/** Ends a tenant's load: all that was accepted is there and is delivered, all messages have left, and no more is repeated than there is room for. */
export async function assertNothingLost(
  { tenant, stream, transmissionId, messages }: TenantLoad,
  receiver: Receiver,
  room: Room,
): Promise<void> {
  await stream.stop();
  assert.equal(stream.broken, 0, 'every request is answered');
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
