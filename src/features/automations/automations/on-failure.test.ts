/** `on_failure` actions, and the list of all automations' runs (docs/specification/automations.md#runs). */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  action,
  automation,
  endedRuns,
  endOfRun,
  FAILS,
  startRun,
} from '../../../../test/harness/automations.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const { api } = tenant;

const log = (key: string, message: string) => action(key, 'log', { message });
const tell = (key: string, body: object) =>
  action(key, 'httpRequest', { method: 'POST', url: receiver.url, body });

async function define(key: string, actions: readonly object[], more: object) {
  await api.post('/api/automations', automation(key, actions, more));
}

const entriesOf = (run: { actions: readonly { key: string; status: string }[] }) =>
  run.actions.map(({ key, status }) => `${key} ${status}`);

test('on_failure runs once when a run has finally failed, with the run, its error and the action', async () => {
  const values = { run: '{{run.id}}', error: '{{run.error}}', action: '{{failed.action}}' };
  await define('fails', [log('before', 'x'), FAILS, log('never', 'y')], {
    on_failure: [
      tell('tell', { ...values, earlier: '{{actions.before.message}}' }),
      log('fails', 'told {{actions.tell.status}}'),
    ],
  });
  const id = await startRun(api, 'fails');
  const run = await endOfRun(api, 'fails', id);
  assert.equal(run.status, 'failed');
  assert.match(String(run.error), /^params\/url must be string params\.url is null/);
  assert.deepEqual(entriesOf(run), ['before succeeded', 'fails failed', 'tell succeeded', 'fails succeeded']);
  assert.deepEqual(receiver.received[0]?.body, { run: id, error: run.error, action: 'fails', earlier: 'x' });
  const { body } = await api.get(`/api/automations/fails/runs/${id}`);
  assert.deepEqual(
    body.actions.map(({ on_failure }: { on_failure?: boolean }) => on_failure),
    [undefined, undefined, true, true],
  );
  assert.deepEqual(body.actions[2].input.body, receiver.received[0]?.body);
  assert.equal(body.actions[3].result.message, 'told 200');
});

test('a replay continues from the failed action, and can fail again', async () => {
  const [run] = await endedRuns(api, 'fails', 1);
  const before = receiver.received.length;
  await api.post(`/api/automations/fails/runs/${run?.run_id}/replay`, undefined, 202);
  const again = await endOfRun(api, 'fails', run?.run_id ?? '');
  assert.deepEqual(entriesOf(again), [
    'before succeeded',
    'fails failed',
    'tell succeeded',
    'fails succeeded',
  ]);
  assert.equal(receiver.received.length, before + 1);
  const keys = receiver.received.slice(-2).map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(keys[0], keys[1]);
});

test('a failed action of on_failure ends it, and the run keeps its original error', async () => {
  await define('twice', [FAILS], {
    on_failure: [action('broken', 'httpRequest', { method: 'GET', url: '{{run.none}}' }), log('never', 'x')],
  });
  const run = await endOfRun(api, 'twice', await startRun(api, 'twice'));
  assert.deepEqual(entriesOf(run), ['fails failed', 'broken failed']);
  assert.match(String(run.error), /url must be string/);
});

test('a successful run does not run on_failure', async () => {
  await define('fine', [log('one', 'x')], { on_failure: [log('never', 'y')] });
  const run = await endOfRun(api, 'fine', await startRun(api, 'fine'));
  assert.deepEqual(entriesOf(run), ['one succeeded']);
});

test('secret headers of on_failure are encrypted, and kept by an update that omits them', async () => {
  const call = (value?: string) =>
    action('same', 'httpRequest', {
      ...{ method: 'POST', url: receiver.url },
      headers: { 'X-Secret': { is_secret: true, ...(value && { value }) } },
    });
  await define('secret', [FAILS, call('never sent')], { on_failure: [call('after failure')] });
  const { body } = await api.get('/api/automations/secret');
  assert.deepEqual(body.on_failure[0].params.headers, { 'X-Secret': { is_secret: true } });
  await api.put('/api/automations/secret', { ...body, name: 'Renamed' });
  await endOfRun(api, 'secret', await startRun(api, 'secret'));
  assert.equal(receiver.received.at(-1)?.headers['x-secret'], 'after failure');
});

test("an expression with an action's key reads the latest action with that key", async () => {
  const held = { condition: { combinator: 'and', rules: [] }, actions: [log('same', 'second')] };
  const skipped = { condition: { combinator: 'or', rules: [] }, actions: [log('same', 'third')] };
  const says = { condition: held.condition, actions: [log('says', '{{actions.same.message}}')] };
  await define('last', [log('same', 'first')], { conditionalActions: [held, skipped, says] });
  const run = await endOfRun(api, 'last', await startRun(api, 'last'));
  assert.deepEqual(
    run.actions.map(({ result }) => result?.message),
    ['first', 'second', undefined, 'second'],
  );
});

test('owners list the runs of all automations by status and by key', async () => {
  const list = async (filters: object) => {
    const { body } = await api.post('/api/automations/runs/list', { page: 1, limit: 50, filters });
    return body.results.map(({ automation_key }: { automation_key: string }) => automation_key);
  };
  assert.deepEqual(await list({}), ['last', 'secret', 'fine', 'twice', 'fails']);
  assert.deepEqual(await list({ status: { eq: 'failed' } }), ['secret', 'twice', 'fails']);
  assert.deepEqual(await list({ key: { operation: 'in', value: ['fine', 'last'] } }), ['last', 'fine']);
  await api.delete('/api/automations/fine');
  assert.deepEqual(await list({ key: { eq: 'fine' }, status: { eq: 'succeeded' } }), ['fine']);
  const one = (await api.get('/api/automations/last/runs')).body.results[0];
  assert.equal(one.automation_key, 'last');
  const page = { page: 1, limit: 5 };
  await api.post('/api/automations/runs/list', { ...page, filters: { color: { eq: 1 } } }, 400);
  const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  await member.api.post('/api/automations/runs/list', { ...page, filters: {} }, 403);
});
