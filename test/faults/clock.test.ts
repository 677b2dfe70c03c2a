import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { sql } from 'kysely';
import { createMailTenant, transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const DAY_MS = 24 * 60 * 60 * 1000;
/** More than a worker claims ahead for one domain, so that some wait unclaimed. */
const MANY = 200;
/** Few enough for a worker to claim all of them at once, twice. */
const FEW = 60;

/** How far the process's clock is ahead, in ms. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);

const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url }, { clock: now });
const tenant = await createMailTenant(app);

afterEach(() => {
  relay.onMessage = () => null;
  relay.onRecipient = () => null;
});

/** Sends to new addresses; returns the transmission's id and the addresses. */
let addressCount = 0;
async function send(count: number, scheduledAt?: Date) {
  const addresses = Array.from({ length: count }, () => {
    addressCount += 1;
    return `p${addressCount}@example.com`;
  });
  const date = scheduledAt?.toISOString().slice(0, 19);
  const options = {
    transactional: true,
    ...(date === undefined ? {} : { scheduled_time: { date, timezone: 'UTC' } }),
  };
  const recipients = addresses.map((address) => ({ address }));
  const { body } = await tenant.api.post(
    '/api/transmissions',
    transmissionBody(tenant, { options, recipients }),
  );
  const id: string = body.transactionId;
  return { id, addresses };
}

/** Makes the relay accept messages but delay its replies until the returned function is called. */
function holdAnswers(): () => void {
  const released = Promise.withResolvers<null>();
  relay.onMessage = () => released.promise;
  return () => released.resolve(null);
}

/** Returns the due times of messages that have not ended, earliest first, and whether a worker has claimed them. */
async function pendingMessages(id: string): Promise<{ dueAt: Date; isClaimed: boolean }[]> {
  const { rows } = await sql<{ due_at: string; is_claimed: boolean }>`
    select due_at, claim_id is not null as is_claimed from email_messages
    where transmission_id = ${id} and state = 'pending' order by due_at`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  return rows.map((row) => ({ dueAt: new Date(row.due_at), isClaimed: row.is_claimed }));
}

async function stateOf(id: string): Promise<string> {
  return (await tenant.api.get(`/api/transmissions/${id}`)).body.state;
}

function assertEachOnce(addresses: readonly string[]): void {
  const deliveredTo = relay.messages
    .flatMap(({ rcptTo }) => rcptTo)
    .filter((address) => addresses.includes(address));
  assert.deepEqual(deliveredTo.sort(), [...addresses].sort());
}

/** A message that the relay rejected temporarily. */
async function sendDeferred(): Promise<{ id: string; address: string }> {
  relay.onRecipient = () => ({ code: 451, text: '4.2.1 Come back later' });
  const { id, addresses } = await send(1);
  await eventually('the first try', async () => {
    const { results } = (await tenant.api.get(`/api/transmissions/${id}/recipients`)).body;
    return results[0].error !== null;
  });
  relay.onRecipient = () => null;
  return { id, address: addresses[0] ?? '' };
}

test('a clock set forward sends due messages and repeats none that are in flight', async () => {
  const deferred = await sendDeferred();
  const tomorrow = await send(1, new Date(now().getTime() + DAY_MS / 2));
  const later = await send(1, new Date(now().getTime() + 3 * DAY_MS));
  const release = holdAnswers();
  const many = await send(FEW);
  const areClaimed = async (id: string) => (await pendingMessages(id)).every(({ isClaimed }) => isClaimed);
  await eventually('all messages to be under way', () => areClaimed(many.id));
  await eventually('some to be at the relay', () => relay.openConnections > 1);
  ahead += DAY_MS;
  for (const { id } of [deferred, tomorrow])
    await eventually('the waiting messages to be under way', () => areClaimed(id));
  release();
  for (const { id } of [many, deferred, tomorrow]) {
    const { counts } = await waitUntilEnded(tenant, id);
    assert.equal(counts.delivered, counts.recipients);
  }
  assertEachOnce([...many.addresses, ...tomorrow.addresses, deferred.address]);
  assert.equal(await stateOf(later.id), 'scheduled');
  assertEachOnce(many.addresses);
});

test('a clock set back delays no message until the earlier time', async () => {
  const deferred = await sendDeferred();
  const at = new Date(now().getTime() + DAY_MS / 2);
  const scheduled = await send(1, at);
  const release = holdAnswers();
  const many = await send(MANY);
  await eventually('messages to be under way', async () => {
    const messages = await pendingMessages(many.id);
    return messages.some(({ isClaimed }) => isClaimed) && messages.some(({ isClaimed }) => !isClaimed);
  });
  ahead -= DAY_MS;
  await eventually('the refused message to be due within its wait', async () => {
    const [message] = await pendingMessages(deferred.id);
    return message !== undefined && message.dueAt.getTime() <= now().getTime() + 300_000;
  });
  release();
  assert.equal((await waitUntilEnded(tenant, many.id)).counts.delivered, MANY);
  assertEachOnce(many.addresses);
  assert.equal(await stateOf(scheduled.id), 'scheduled');
  const [message] = await pendingMessages(scheduled.id);
  assert.equal(message?.dueAt.toISOString().slice(0, 19), at.toISOString().slice(0, 19));
  const { body } = await tenant.api.get(`/api/transmissions/${deferred.id}`);
  assert.equal(body.state, 'sending', 'it waits out its time');
});
