import assert from 'node:assert/strict';
import test from 'node:test';
import {
  action,
  createAutomation,
  endOfRun,
  FAILS,
  LOG_TRIGGER,
  startRun,
} from '../../../../test/harness/automations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const KIB = 1024;
const app = await startOwnApp({ AUTOMATION_INPUTS_MIB: '1' });

/** Creates a tenant with an automation of these actions and a hook. */
async function createSite(...actions: readonly object[]) {
  const { api } = await app.createTenant();
  await createAutomation(api, 'heard', { triggerType: 'webhook', actions });
  const { pathname, search } = new URL((await api.get('/api/automations/heard')).body.webhook_url);
  return {
    api,
    call: (body: object, status = 202) => app.anonymous.post(pathname + search, body, status),
    read: async (runId: string) => (await api.get(`/api/automations/heard/runs/${runId}`)).body,
    async end(trigger: object) {
      const runId = await startRun(api, 'heard', trigger);
      await endOfRun(api, 'heard', runId);
      return runId;
    },
  };
}

const text = (bytes: number) => ({ text: 'x'.repeat(bytes) });

test('a successful run keeps a small input; beyond a quarter of the quota only the size of a large one', async () => {
  const site = await createSite(action('a', 'log', { message: 'done' }));
  const small = await site.read(await site.end(text(1000)));
  assert.deepEqual([small.trigger, small.input_bytes], [text(1000), JSON.stringify(text(1000)).length]);
  assert.deepEqual(small.actions[0].input, { message: 'done' });
  const first = await site.read(await site.end(text(180 * KIB)));
  assert.deepEqual(first.trigger, text(180 * KIB));
  const large = await site.read(await site.end(text(90 * KIB)));
  assert.deepEqual([large.trigger, large.input_bytes], [null, JSON.stringify(text(90 * KIB)).length]);
  assert.deepEqual([large.actions[0].input, large.actions[0].result.message], [null, 'done']);
});

test('a failed run keeps a large input for its replay', async () => {
  const site = await createSite(FAILS);
  const runId = await site.end(text(100 * KIB));
  assert.deepEqual((await site.read(runId)).trigger, text(100 * KIB));
  await site.api.post(`/api/automations/heard/runs/${runId}/replay`, undefined, 202);
});

test('beyond half of the quota ended runs keep neither input nor results and cannot be replayed', async () => {
  const site = await createSite(LOG_TRIGGER, FAILS);
  const first = await site.end(text(200 * KIB));
  await site.end(text(200 * KIB));
  assert.equal((await site.read(first)).actions[0].result.message.text.length, 200 * KIB);
  const last = await site.read(await site.end(text(200 * KIB)));
  assert.equal(last.trigger, null);
  assert.deepEqual(
    last.actions.map(({ key, status, result }: Record<string, unknown>) => [key, status, result]),
    [
      ['told', 'succeeded', null],
      ['fails', 'failed', null],
    ],
  );
  const refused = await site.api.post(`/api/automations/heard/runs/${last.run_id}/replay`, undefined, 409);
  assert.match(refused.text, /no longer has its input/);
});

test('a hook answers 429 while waiting runs fill the quota of its own tenant', async () => {
  const receiver = await startReceiver();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.answer = (_request, response) => void released.then(() => response.end('ok'));
  const site = await createSite(action('a', 'httpRequest', { method: 'GET', url: receiver.url }));
  await site.call(text(600 * KIB));
  await site.call(text(600 * KIB));
  const refused = await site.call(text(10), 429);
  assert.equal(refused.body.code, 'AUTOMATION_INPUTS_FULL');
  assert.equal(refused.headers.get('retry-after'), '60');
  const manual = await site.api.post('/api/automations/heard/run', {}, 429);
  assert.equal(manual.body.code, 'AUTOMATION_INPUTS_FULL');
  const other = await createSite(FAILS);
  await other.call(text(10));
  release();
  await eventually('another input to be accepted', async () => {
    return (await site.api.send('POST', '/api/automations/heard/run', { body: {} })).status === 202;
  });
});

test('a message for an unhandled queue is rejected once waiting messages fill the quota', async () => {
  const { api } = await app.createTenant();
  const publish = (status: number) =>
    api.post('/api/queues/unheard/messages', { body: text(600 * KIB) }, status);
  await publish(202);
  await publish(202);
  const refused = await publish(429);
  assert.equal(refused.body.code, 'RATE_LIMITED');
  assert.match(refused.text, /messages that wait in queues/);
  const handler = { triggerType: 'mqHandler', triggerParams: { queueName: 'unheard' } };
  await createAutomation(api, 'hears', { ...handler, actions: [action('a', 'log', { message: 'heard' })] });
  await eventually('another message to be accepted', async () => {
    const { status } = await api.send('POST', '/api/queues/unheard/messages', { body: { body: 1 } });
    return status === 202;
  });
});

test('the metrics contain the stored bytes', async () => {
  await eventually('the metric', async () => {
    const { text: metrics } = await app.anonymous.get('/metrics');
    const found = /^tessera_stored_bytes\{kind="automation_inputs"\} (\d+)$/m.exec(metrics);
    return Number(found?.[1]) > 100 * KIB;
  });
});
