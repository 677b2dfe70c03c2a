import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { runRetention, versionRetention } from './retention.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

/** Offset of the clock, in ms. */
let ahead = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + ahead) });
const tenant = await app.createTenant();
const { api } = tenant;
const receiver = await startReceiver();
const path = '/api/automations';

const log = (key: string, message: unknown) => ({
  key,
  name: key,
  actionTypeKey: 'log',
  params: { message },
});
const http = (key: string, params: object) => ({ key, name: key, actionTypeKey: 'httpRequest', params });

let count = 0;

/** Sets the receiver's response. */
function answerWith(status: number, delayMs = 0): void {
  receiver.answer = (_request, response) => {
    setTimeout(() => response.writeHead(status).end('ok'), delayMs);
  };
}

/** A call that always fails, because it has no URL. */
const failingCall = (key: string) => http(key, { method: 'GET', url: '{{trigger.nothing}}' });

/** Creates an automation with a manual trigger only. */
async function automation(more: object) {
  count += 1;
  const key = `a${count}`;
  const definition = { key, app: 'test', name: 'Test', triggerType: 'webhook', triggerParams: {}, ...more };
  await api.post(path, definition);
  return key;
}

async function run(key: string, trigger?: object) {
  const { body } = await api.post(`${path}/${key}/run`, { trigger }, 202);
  assert.deepEqual(Object.keys(body), ['run_id']);
  return String(body.run_id);
}

async function read(key: string, id: string) {
  return (await api.get(`${path}/${key}/runs/${id}`)).body;
}

async function ended(key: string, id: string) {
  return eventually('the end of the run', async () => {
    const found = await read(key, id);
    return ['succeeded', 'failed', 'skipped'].includes(found.status) && found;
  });
}

async function runToEnd(more: object, trigger?: object) {
  const key = await automation(more);
  return ended(key, await run(key, trigger));
}

test('actions run in order, with data of the trigger and of earlier actions', async () => {
  const done = await runToEnd(
    {
      actions: [
        log(
          'first',
          'order {{ trigger.entity.id }} of {{trigger.entity.customer}} by {{trigger.action.key}}',
        ),
        log('__proto__', '{{actions.first.message}}!'),
        log('last', '{{actions.__proto__.message}} {{trigger.nothing}}'),
      ],
    },
    { entity: { id: 7, customer: { name: 'Ann' } } },
  );
  assert.equal(done.status, 'succeeded');
  assert.equal(done.error, null);
  const first = 'order 7 of {"name":"Ann"} by first';
  assert.deepEqual(
    done.actions.map(({ key, status, error, result, input }: Record<string, unknown>) => [
      key,
      status,
      error,
      result,
      input,
    ]),
    [
      ['first', 'succeeded', null, { message: first }, { message: first }],
      ['__proto__', 'succeeded', null, { message: `${first}!` }, { message: `${first}!` }],
      ['last', 'succeeded', null, { message: `${first}! ` }, { message: `${first}! ` }],
    ],
  );
  assert.deepEqual(done.trigger, { entity: { id: 7, customer: { name: 'Ann' } } });
  assert.deepEqual([done.chain, done.automation_version, done.trigger_type], [[], 1, 'webhook']);
  assert.ok(done.started_at <= done.finished_at);
});

test('conditional actions run if their condition is true and are skipped otherwise', async () => {
  const when = (operator: string, value: unknown, ...actions: object[]) => ({
    condition: { combinator: 'and', rules: [{ field: 'total', operator, value }] },
    actions,
  });
  const done = await runToEnd(
    {
      actions: [log('always', 'a')],
      conditionalActions: [
        when('greaterThan', 10, log('large', 'b'), log('larger', 'c')),
        when('lessThan', 10, log('small', 'd')),
        { condition: { combinator: 'or', rules: [] }, actions: [log('never', 'e')] },
        { condition: { combinator: 'and', rules: [] }, actions: [] },
        {
          condition: {
            combinator: 'and',
            rules: [{ field: '{{actions.small.message}}', operator: 'equals', value: 'd' }],
          },
          actions: [log('after', 'f')],
        },
      ],
    },
    { entity: { total: '9.5' } },
  );
  assert.deepEqual(
    done.actions.map(({ key, status }: Record<string, unknown>) => `${key} ${status}`),
    [
      'always succeeded',
      'large skipped',
      'larger skipped',
      'small succeeded',
      'never skipped',
      'after succeeded',
    ],
  );
  assert.equal(done.status, 'succeeded');
});

test('an automation without actions succeeds', async () => {
  const done = await runToEnd({});
  assert.deepEqual([done.status, done.actions], ['succeeded', []]);
});

test('an HTTP request is sent as configured, with the same key on each attempt, and its response is stored', async () => {
  const again = await runToEnd(
    {
      actions: [
        http('call', {
          method: 'POST',
          url: `${receiver.url}/hook`,
          headers: { 'X-Total': '{{trigger.entity.total}}', 'X-Nothing': '{{trigger.nothing}}' },
          body: { order: '{{trigger.entity}}' },
        }),
        log('told', '{{actions.call.status}} {{actions.call.body}}'),
      ],
    },
    { entity: { id: 'x', total: 5 } },
  );
  assert.equal(again.status, 'succeeded');
  assert.equal(again.actions[1].result.message, '200 ok');
  const sent = receiver.received.at(-1);
  assert.deepEqual(sent?.body, { order: { id: 'x', total: 5 } });
  assert.deepEqual([sent?.headers['x-total'], sent?.headers['x-nothing']], ['5', undefined]);
  assert.match(String(sent?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
});

test('a failed action is retried after 2, 10 and 30 s with the same key, and then fails the run', async () => {
  answerWith(503);
  const key = await automation({
    actions: [
      log('before', 'x'),
      http('call', { method: 'GET', url: `${receiver.url}/down` }),
      log('after', 'y'),
    ],
  });
  const before = receiver.received.length;
  const id = await run(key);
  const waits = [2000, 10_000, 30_000];
  for (const [tries, wait] of waits.entries()) {
    const waiting = await eventually('the failed attempt', async () => {
      const found = await read(key, id);
      return found.attempts === tries + 1 && found;
    });
    assert.deepEqual([waiting.status, waiting.error], ['running', 'The receiver answered with status 503.']);
    assert.deepEqual(
      waiting.actions.map(({ status }: { status: string }) => status),
      ['succeeded', 'failed'],
    );
    assert.equal(receiver.received.length - before, tries + 1);
    ahead += wait;
  }
  const failed = await ended(key, id);
  assert.deepEqual([failed.status, failed.attempts], ['failed', 4]);
  assert.equal(failed.actions[1].result.status, 503);
  const keys = receiver.received.slice(before).map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);

  answerWith(200);
  const { body } = await api.post(`${path}/${key}/runs/${id}/replay`, undefined, 202);
  assert.deepEqual(body, { run_id: id });
  const replayed = await eventually('the end of the replay', async () => {
    const found = await read(key, id);
    return found.status === 'succeeded' && found;
  });
  assert.deepEqual(
    replayed.actions.map(({ key: name, status }: { key: string; status: string }) => `${name} ${status}`),
    ['before succeeded', 'call succeeded', 'after succeeded'],
  );
  assert.equal(receiver.received.at(-1)?.headers['idempotency-key'], keys[0]);
  assert.equal(
    (await api.post(`${path}/${key}/runs/${id}/replay`, undefined, 409)).body.code,
    'INVALID_STATUS',
  );
});

test('a permanent error is not retried', async () => {
  const refused = await runToEnd({ actions: [failingCall('a'), log('b', 'x')] });
  assert.deepEqual([refused.status, refused.attempts], ['failed', 1]);
  assert.deepEqual(
    refused.actions.map(({ key }: { key: string }) => key),
    ['a'],
  );
  assert.match(refused.error, /^params\/url must be string/);
  const large = await runToEnd(
    { actions: [log('a', '{{trigger.big}}{{trigger.big}}{{trigger.big}}')] },
    { big: 'x'.repeat(400_000) },
  );
  assert.deepEqual([large.status, large.attempts], ['failed', 1]);
  assert.match(large.error, /more than 1000000 characters/);
});

test('a response that the database would reject is stored as far as possible; one too deep fails the action', async () => {
  receiver.answer = (_request, response) => {
    response.writeHead(200).end('{"a\\u0000":{"\\ud800":"\\u0000"},"b":[{"c\\udfff":1}]}');
  };
  const ended = await runToEnd({ actions: [http('call', { method: 'POST', url: receiver.url })] });
  assert.deepEqual([ended.status, ended.attempts], ['succeeded', 1]);
  assert.deepEqual(ended.actions[0].result.body, { 'a ': { '\ufffd': ' ' }, b: [{ 'c\ufffd': 1 }] });
  receiver.answer = (_request, response) => {
    response.writeHead(200).end('['.repeat(20_000) + ']'.repeat(20_000));
  };
  const deep = await runToEnd({ actions: [http('call', { method: 'POST', url: receiver.url })] });
  assert.deepEqual([deep.status, deep.attempts], ['failed', 1]);
  assert.match(deep.error, /nested deeper than 100 levels/);
});

test('the timeout limits the whole run and is not retried', async () => {
  answerWith(200, 3000);
  const timeout = { triggerType: 'mqHandler', triggerParams: { queueName: 'q', timeoutMs: 300 } };
  const done = await runToEnd({
    ...timeout,
    actions: [http('slow', { method: 'GET', url: `${receiver.url}/slow` })],
  });
  answerWith(200);
  assert.deepEqual([done.status, done.attempts], ['failed', 1]);
  assert.match(done.error, /timed out: it has taken longer than 300 ms/);
});

test('a run of an inactive automation ends as skipped, and so does a cancelled one', async () => {
  const key = await automation({ active: false, actions: [log('a', 'x')] });
  const id = await run(key);
  const done = await ended(key, id);
  assert.deepEqual([done.status, done.actions, done.started_at], ['skipped', [], null]);
  assert.match(done.error, /deactivated or deleted/);
  assert.deepEqual((await api.post(`${path}/${key}/runs/${id}/cancel`, undefined)).body, { run_id: id });
  const ran = await automation({ actions: [log('a', 'x')] });
  const other = await run(ran);
  await ended(ran, other);
  assert.equal(
    (await api.post(`${path}/${ran}/runs/${other}/cancel`, undefined, 409)).body.code,
    'INVALID_STATUS',
  );
  // A run of another automation.
  await api.post(`${path}/${ran}/runs/${id}/cancel`, undefined, 404);
  await api.get(`${path}/${ran}/runs/${id}`, 404);
  await api.get(`${path}/${ran}/runs/x`, 404);
});

test('runs are listed, newest first and by status', async () => {
  const key = await automation({ actions: [http('a', { method: 'GET', url: '{{trigger.m}}' })] });
  const good = await run(key, { m: receiver.url });
  await ended(key, good);
  const bad = await run(key, { m: 5 });
  await ended(key, bad);
  const list = async (query: string) => (await api.get(`${path}/${key}/runs${query}`)).body;
  const { results, total, totalPages } = await list('');
  assert.deepEqual(
    [total, totalPages, results.map((each: { run_id: string }) => each.run_id)],
    [2, 1, [bad, good]],
  );
  assert.deepEqual(Object.keys(results[0]).slice(0, 7), [
    'run_id',
    'status',
    'trigger_type',
    'started_at',
    'finished_at',
    'error',
    'actions',
  ]);
  assert.deepEqual(
    (await list('?status=failed')).results.map((each: { run_id: string }) => each.run_id),
    [bad],
  );
  assert.equal((await list('?status=queued')).total, 0);
  assert.equal((await list('?page=2&limit=1')).results[0].run_id, good);
  await api.get(`${path}/${key}/runs?status=done`, 400);
  await api.get(`${path}/absent/runs`, 404);
});

test('a run uses the version current at its request', async () => {
  const key = await automation({ active: false, actions: [log('a', 'first')] });
  answerWith(500);
  const slow = await automation({
    actions: [http('call', { method: 'GET', url: `${receiver.url}/v` }), log('a', 'first')],
  });
  const id = await run(slow);
  await eventually('the failed attempt', async () => (await read(slow, id)).attempts === 1);
  answerWith(200);
  const { body: stored } = await api.get(`${path}/${slow}`);
  await api.put(`${path}/${slow}`, { ...stored, actions: [log('a', 'second')] });
  ahead += 2000;
  const done = await ended(slow, id);
  assert.deepEqual([done.automation_version, done.actions[1].result.message], [1, 'first']);
  const next = await ended(slow, await run(slow));
  assert.deepEqual([next.automation_version, next.actions[0].result.message], [2, 'second']);
  await api.delete(`${path}/${key}`);
});

test('a dry run reports the effects without causing them', async () => {
  const key = await automation({
    actions: [
      http('call', { method: 'POST', url: `${receiver.url}/dry`, body: '{{trigger.entity}}' }),
      log('told', 'status {{actions.call.status}}'),
    ],
    conditionalActions: [{ condition: { combinator: 'or', rules: [] }, actions: [log('never', 'x')] }],
  });
  const before = receiver.received.length;
  const { body } = await api.post(`${path}/${key}/test`, { trigger: { entity: { id: 1 } } });
  assert.deepEqual([body.status, body.error], ['succeeded', null]);
  assert.deepEqual(
    body.actions.map(({ key: name, status, input }: Record<string, unknown>) => [name, status, input]),
    [
      ['call', 'succeeded', { method: 'POST', url: `${receiver.url}/dry`, body: { id: 1 } }],
      ['told', 'succeeded', { message: 'status ' }],
      ['never', 'skipped', null],
    ],
  );
  assert.equal(receiver.received.length, before);
  assert.equal((await api.get(`${path}/${key}/runs`)).body.total, 0);
  const failing = await automation({ actions: [log('a', 'x'), failingCall('b'), log('c', 'x')] });
  const tried = (await api.post(`${path}/${failing}/test`, {})).body;
  assert.equal(tried.status, 'failed');
  assert.deepEqual(
    tried.actions.map(({ status }: { status: string }) => status),
    ['succeeded', 'failed'],
  );
  await api.post(`${path}/absent/test`, {}, 404);
});

test('a trigger that is not an object is rejected with the code of the area', async () => {
  const key = await automation({});
  for (const call of ['run', 'test'])
    for (const trigger of [5, 'x', []]) {
      const { body } = await api.post(`${path}/${key}/${call}`, { trigger }, 400);
      assert.deepEqual([body.code, body.issues[0].field], ['INVALID_AUTOMATION', 'trigger']);
    }
});

test('a large trigger and large results are processed and returned', async () => {
  const text = 'x'.repeat(900_000);
  const key = await automation({
    // A failed run keeps its trigger.
    actions: [log('a', '{{trigger.entity.id}}'), log('b', '{{trigger.entity.short}}'), failingCall('c')],
  });
  const short = 'y'.repeat(200_000);
  const trigger = { entity: { id: 'one', short, more: [text, text, text] } };
  const done = await ended(key, await run(key, trigger));
  assert.deepEqual([done.status, done.actions[0].result.message], ['failed', 'one']);
  assert.deepEqual(done.actions[1].input, { message: short });
  assert.equal(done.trigger.entity.more[2].length, 900_000);
  const { results } = (await api.get(`${path}/${key}/runs`)).body;
  assert.deepEqual([results[0].status, results[0].actions[1].result.message], ['failed', short]);
});

test('a single result and all results together have a limit', async () => {
  const long = 'x'.repeat(240_000);
  const one = await runToEnd({ actions: [log('a', '{{trigger.long}}{{trigger.long}}')] }, { long });
  assert.match(one.error, /^The result has more than 262144 characters/);
  const all = await runToEnd(
    { actions: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => log(key, '{{trigger.long}}')) },
    { long },
  );
  assert.match(all.error, /^The results of the run have more than 1048576 characters/);
  assert.deepEqual([all.attempts, all.actions.length], [1, 5]);
});

test('runs are deleted 30 days after their end, and versions 90 days after their replacement', async () => {
  const key = await automation({ actions: [log('a', 'x')] });
  const id = await run(key);
  await ended(key, id);
  const { platform } = app.app;
  const versions = async () => {
    const { rows } = await platform.database.everyTenant('tests').raw(sql`
      select v.version from automation_versions v join automations a
        on a.tenant_id = v.tenant_id and a.id = v.automation_id where a.key = ${key}`);
    return rows.length;
  };
  const { body: stored } = await api.get(`${path}/${key}`);
  await api.put(`${path}/${key}`, stored);
  assert.equal(await versions(), 1);
  await api.put(`${path}/${key}`, { ...stored, name: 'Changed' });
  assert.equal(await versions(), 2);
  const day = 24 * 3600 * 1000;
  for (const [days, runsLeft, versionsLeft] of [
    [29, 1, 2],
    [2, 0, 2],
    [60, 0, 1],
  ] as const) {
    ahead += days * day;
    await runRetention.removeOld(platform);
    await versionRetention.removeOld(platform);
    assert.deepEqual(
      [(await api.get(`${path}/${key}/runs`)).body.total, await versions()],
      [runsLeft, versionsLeft],
    );
  }
});
