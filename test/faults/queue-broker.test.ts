/** The broker disappears and returns, processes are killed, and no message is lost or handled twice. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AMQP_URL, connectToBroker, removeQueues, takeMessage, withoutBroker } from '../harness/amqp.ts';
import { createAutomation, endedRuns, listRuns } from '../harness/automations.ts';
import { type Client, createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { killProcesses, startProcess, type TestProcess } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase, databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const skip = withoutBroker;
const onServer = databaseKind() !== 'embedded';
const codes: string[] = [];
after(async () => {
  if (withoutBroker === false) await removeQueues(codes);
});

/**
 * Starts a process whose connection to the broker can be cut, and a tenant with an automation that handles `orders`.
 */
async function startSite(more: object = {}, env: Readonly<Record<string, string>> = {}) {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const url = new URL(AMQP_URL ?? '');
  const proxy = await startTcpProxy(Number(url.port || '5672'));
  url.host = `127.0.0.1:${proxy.port}`;
  const full = { ...testEnv(database), LOG_LEVEL: 'info', AMQP_URL: url.href, ...env };
  const first = await startProcess(full);
  const admin = createClient(first.url, { authorization: `Bearer ${full.ADMIN_TOKEN}` });
  const { code, apiKey } = await createTenant(first.url, admin);
  codes.push(code);
  const at = (process: TestProcess) => createClient(process.url, { 'x-api-key': apiKey });
  await createAutomation(at(first), 'handler', {
    triggerType: 'mqHandler',
    triggerParams: { queueName: 'orders' },
    ...more,
  });
  return { env: full, process: first, at, proxy, queue: `tessera.${code}.orders` };
}

async function publishMany(api: Client, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) await api.post('/api/queues/orders/messages', { body: n }, 202);
}

/** Returns the bodies of the messages of all runs. */
async function handled(api: Client, count: number, withinMs = 60_000): Promise<number[]> {
  const runs = await endedRuns(api, 'handler', count, withinMs);
  return runs.map(({ actions }) => Object(actions[0]?.result).message.message.body).sort((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_each, index) => index);

/** Resolves when the broker has no messages of the queue, acknowledged or not. */
async function assertAllAcknowledged(queue: string): Promise<void> {
  const broker = connectToBroker();
  await eventually('the queue to be empty', async () => {
    const { messageCount } = await broker.queueDeclare({ queue, passive: true });
    return messageCount === 0;
  });
  assert.equal(await takeMessage(broker, queue), null);
  assert.equal(await takeMessage(broker, `${queue}.dead`), null);
}

test('messages accepted while the broker is unavailable are handled once after its return', {
  skip,
}, async () => {
  const { process, at, proxy, queue } = await startSite();
  const api = at(process);
  await publishMany(api, 0, 3);
  assert.deepEqual(await handled(api, 3), upTo(3));
  for (let round = 1; round <= 2; round += 1) {
    await proxy.cut();
    await publishMany(api, 3 * round, 3 * round + 3);
    assert.equal((await fetch(`${process.url}/readyz`)).status, 200);
    assert.equal((await listRuns(api, 'handler')).length, 3 * round);
    await proxy.reopen();
    assert.deepEqual(await handled(api, 3 * round + 3), upTo(3 * round + 3));
  }
  await assertAllAcknowledged(queue);
  assert.equal((await process.kill('SIGTERM')).code, 0);
});

test('a process starts and stops while the broker is unavailable', { skip }, async () => {
  const { env, process, at, proxy } = await startSite();
  await proxy.cut();
  assert.equal((await process.kill('SIGTERM')).code, 0);
  const second = await startProcess(env);
  await publishMany(at(second), 0, 2);
  await proxy.reopen();
  assert.deepEqual(await handled(at(second), 2), upTo(2));
});

test('messages not acknowledged by a killed process are redelivered and trigger no second run', {
  skip,
}, async () => {
  const receiver = await startReceiver();
  let isHeld = true;
  receiver.answer = (_request, response) => {
    if (!isHeld) response.writeHead(200).end();
  };
  const call = {
    key: 'call',
    name: 'Call',
    actionTypeKey: 'httpRequest',
    params: { method: 'POST', url: receiver.url, body: '{{trigger.message.body}}' },
  };
  const { env, process, at, queue } = await startSite({ actions: [call] });
  await publishMany(at(process), 0, 5);
  await eventually('all calls', () => receiver.received.length === 5);
  await process.kill('SIGKILL');
  isHeld = false;
  const second = await startProcess(env);
  const runs = await endedRuns(at(second), 'handler', 5, 120_000);
  assert.deepEqual(
    runs.map(({ status }) => status),
    Array(5).fill('succeeded'),
  );
  await assertAllAcknowledged(queue);
  assert.equal((await listRuns(at(second), 'handler')).length, 5);
});

test('accepted messages survive a kill before they are published', {
  skip,
}, async () => {
  const { env, process, at, proxy } = await startSite();
  await proxy.cut();
  await publishMany(at(process), 0, 5);
  await process.kill('SIGKILL');
  await proxy.reopen();
  const second = await startProcess(env);
  assert.deepEqual(await handled(at(second), 5), upTo(5));
});

test('two workers share a queue and handle each message once', {
  skip: skip || (!onServer && 'several processes need TEST_DATABASE_URL'),
}, async () => {
  const { env, process, at, queue } = await startSite();
  const second = await startProcess(env);
  await publishMany(at(process), 0, 20);
  await publishMany(at(second), 20, 40);
  assert.deepEqual(await handled(at(second), 40), upTo(40));
  await assertAllAcknowledged(queue);
});

test('a stopping worker returns unacknowledged messages', {
  skip: skip || (!onServer && 'several processes need TEST_DATABASE_URL'),
}, async () => {
  const { env, process, at, queue } = await startSite();
  await publishMany(at(process), 0, 20);
  const second = await startProcess(env);
  assert.equal((await process.kill('SIGTERM')).code, 0);
  await publishMany(at(second), 20, 30);
  assert.deepEqual(await handled(at(second), 30), upTo(30));
  await assertAllAcknowledged(queue);
});
