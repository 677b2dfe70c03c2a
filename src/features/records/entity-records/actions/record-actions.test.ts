/** Automations write records (docs/specification/automations.md#actions-on-records). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { action, createAutomation, endedRunsInWhole } from '../../../../../test/harness/automations.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../../test/harness/receiver.ts';
import { createRecordsTenant, SHOP } from '../../../../../test/harness/records.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';

/** How far the clock is ahead, in ms. */
let ahead = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + ahead) });
const tenant = await createRecordsTenant(app, [
  ...SHOP,
  { name: 'memo', owned_by: 'business_unit', fields: [{ name: 'text', type: 'string' }] },
]);
const { api, owner } = tenant;

/** Starts a run of these actions with a manual trigger. */
async function begin(key: string, actions: readonly object[], trigger: object = {}) {
  await createAutomation(api, key, { triggerType: 'webhook', actions });
  await api.post(`/api/automations/${key}/run`, { trigger }, 202);
}

/** Runs actions to their end. */
async function run(key: string, actions: readonly object[], trigger: object = {}) {
  await begin(key, actions, trigger);
  return ended(key);
}

/** Waits for the end of an automation's only run; returns it. */
async function ended(key: string) {
  const [done] = await endedRunsInWhole(api, key, 1);
  assert.ok(done);
  return done;
}

/** Runs `work` while the waits between attempts pass quickly. */
async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const hurry = setInterval(() => {
    ahead += 31_000;
  }, 300);
  return work().finally(() => clearInterval(hurry));
}

async function newOrder(number: string, more: object = {}) {
  return (await owner.post('/api/order', { number, ...more })).body;
}

test('records are created, changed, moved and deleted by the automation, with the record as the result', async () => {
  const { status, actions } = await run(
    'whole_life',
    [
      action('create', 'createRecord', {
        entity: 'order',
        data: { number: 'W-1', total: '{{trigger.total}}' },
      }),
      action('update', 'updateRecord', {
        entity: 'order',
        id: '{{actions.create.id}}',
        data: { note: 'of {{actions.create.number}}' },
      }),
      action('move', 'moveWorkflow', { entity: 'order', id: '{{actions.create.id}}', to: 'paid' }),
      action('other', 'createRecord', { entity: 'customer', data: { name: 'Ann' } }),
      action('remove', 'deleteRecord', { entity: 'customer', id: '{{actions.other.id}}' }),
    ],
    { total: 7 },
  );
  assert.equal(status, 'succeeded');
  const [create, update, move, other, remove] = actions.map(({ result }) => result);
  const { body: order } = await owner.get(`/api/order/${create?.id}`);
  assert.deepEqual(move, order);
  assert.deepEqual([create?.total, create?.note, create?.status], [7, null, 'open']);
  assert.deepEqual([update?.note, update?.status], ['of W-1', 'open']);
  assert.deepEqual(
    [order._created_by, order._updated_by, order.status],
    ['automation:whole_life', 'automation:whole_life', 'paid'],
  );
  await owner.get(`/api/customer/${other?.id}`, 404);
  assert.deepEqual(remove, { success: true });
});

test('a write that the API would reject fails the action with a message that names the field', async () => {
  const taken = await newOrder('R-1', { total: 1 });
  const item = (await owner.post('/api/order_item', { quantity: 1, order_id: taken.id })).body;
  const id = taken.id;
  const missing = '01a1fe3f-6085-70cf-bb51-523bc8728d31';
  const cases: readonly [string, string, object, RegExp][] = [
    ['no_entity', 'createRecord', { entity: 'ghost', data: {} }, /no entity ghost/],
    [
      'wrong_type',
      'createRecord',
      { entity: 'order', data: { number: 'R-2', total: 'much' } },
      /total must be a number/,
    ],
    ['left_out', 'createRecord', { entity: 'order', data: {} }, /number is required/],
    [
      'taken',
      'createRecord',
      { entity: 'order', data: { number: 'R-1' } },
      /number is already used by another record/,
    ],
    [
      'unrelated',
      'createRecord',
      { entity: 'order', data: { number: 'R-3', customer_id: missing } },
      /customer_id must reference an existing record of customer/,
    ],
    [
      'missing',
      'updateRecord',
      { entity: 'order', id: missing, data: { total: 1 } },
      new RegExp(`no record of order with the id ${missing}`),
    ],
    [
      'no_id',
      'updateRecord',
      { entity: 'order', id: '{{trigger.entity.id}}', data: { total: 1 } },
      /no record of order with the id null/,
    ],
    ['in_use', 'deleteRecord', { entity: 'order', id }, /Other records refer to this one/],
    ['no_way', 'moveWorkflow', { entity: 'order', id, to: 'sent' }, /status cannot go from open to sent/],
    ['no_state', 'moveWorkflow', { entity: 'order', id, to: 'flown' }, /flown is not a state of status/],
    ['no_workflow', 'moveWorkflow', { entity: 'product', id, to: 'x' }, /product has no workflow/],
    [
      'no_unit',
      'createRecord',
      { entity: 'memo', data: { business_unit: 'nowhere' } },
      /business_unit must reference an existing unit/,
    ],
  ];
  for (const [key, type, params] of cases) await begin(key, [action('act', type, params)]);
  await hurried(async () => {
    for (const [key, , , reason] of cases) {
      const { status, error, actions } = await ended(key);
      assert.equal(status, 'failed', key);
      assert.match(error ?? '', reason);
      assert.match(actions[0]?.error ?? '', reason);
    }
  });
  assert.deepEqual((await owner.get(`/api/order/${id}`)).body, taken);
  assert.deepEqual((await owner.get(`/api/order_item/${item.id}`)).body, item);
});

test('a record of units belongs to the named unit, else to Default', async () => {
  const { body: unit } = await api.post('/api/client/v1/business-units', { name: 'North', slug: 'north' });
  const create = (key: string, data: object) => action(key, 'createRecord', { entity: 'memo', data });
  const { actions } = await run('units', [
    create('usual', { text: 'a' }),
    create('slug', { text: 'b', business_unit: 'north' }),
    create('id', { text: 'c', business_unit: unit.bu_id }),
  ]);
  assert.deepEqual(
    actions.map(({ result }) => result?.business_unit),
    [tenant.defaultUnitId, unit.bu_id, unit.bu_id],
  );
});

test('a retried run creates its record once', async () => {
  const missing = '01a1fe3f-6085-70cf-bb51-523bc8728d32';
  await begin('retried', [
    action('create', 'createRecord', { entity: 'customer', data: { name: 'Once' } }),
    action('fail', 'updateRecord', { entity: 'customer', id: missing, data: { name: 'X' } }),
  ]);
  const done = await hurried(() => ended('retried'));
  assert.equal(done.status, 'failed');
  const { body } = await owner.get('/api/customer?name=Once');
  assert.equal(body.pagination.total, 1);
  assert.equal(body.data[0].id, done.actions[0]?.result?.id);
});

test('webhooks receive writes of automations', async () => {
  const receiver = await startReceiver();
  await owner.post('/api/webhooks', {
    url: receiver.url,
    events: ['product.created'],
    secret: 'a secret of some length',
  });
  const { actions } = await run('told', [
    action('create', 'createRecord', { entity: 'product', data: { title: 'Chair' } }),
  ]);
  await eventually('the delivery', () => receiver.received.length > 0);
  assert.deepEqual(receiver.received[0]?.body.data, actions[0]?.result);
});

test('automations that trigger each other endlessly stop after ten runs, with the path', async () => {
  const entity = (name: string) => ({ name, fields: [{ name: 'value', type: 'integer' }] });
  for (const name of ['ping', 'pong']) await api.post('/api/entities', entity(name));
  const { body: ball } = await owner.post('/api/ping', { value: 0 });
  const { body: other } = await owner.post('/api/pong', { value: 0 });
  const hit = (id: string, name: string) =>
    action('hit', 'updateRecord', { entity: name, id, data: { value: 1 } });
  await createAutomation(api, 'to_pong', {
    triggerType: 'afterUpdate',
    entityKey: 'ping',
    actions: [hit(other.id, 'pong')],
  });
  await createAutomation(api, 'to_ping', {
    triggerType: 'afterUpdate',
    entityKey: 'pong',
    actions: [hit(ball.id, 'ping')],
  });
  await owner.put(`/api/ping/${ball.id}`, { value: 1 });
  const failed = await eventually('the end of the chain', async () => {
    const runs = await endedRunsInWhole(api, 'to_pong', 6);
    return runs.find(({ status }) => status === 'failed');
  });
  const path = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'to_pong' : 'to_ping'));
  assert.match(failed.error ?? '', new RegExp(`more than 10 times in a row: ${path.join(' > ')}`));
  assert.deepEqual(failed.chain, path);
  assert.deepEqual(failed.actions, []);
  const [forth, back] = [
    await endedRunsInWhole(api, 'to_pong', 6),
    await endedRunsInWhole(api, 'to_ping', 5),
  ];
  assert.deepEqual([forth.length, back.length], [6, 5]);
  assert.deepEqual(
    [...forth, ...back].filter(({ status }) => status !== 'succeeded'),
    [failed],
  );
});

test('a run whose entity is deleted meanwhile continues, and fails where it needs it', async () => {
  const receiver = await startReceiver();
  const blocked = Promise.withResolvers<void>();
  receiver.answer = (_request, response) => blocked.promise.then(() => response.end('ok'));
  await api.post('/api/entities', { name: 'gone', fields: [{ name: 'value', type: 'integer' }] });
  await createAutomation(api, 'late', {
    triggerType: 'afterCreate',
    entityKey: 'gone',
    actions: [
      action('wait', 'httpRequest', { method: 'POST', url: receiver.url }),
      action('say', 'log', { message: '{{trigger.entity.value}}' }),
      action('act', 'createRecord', { entity: 'gone', data: { value: 2 } }),
    ],
  });
  await owner.post('/api/gone', { value: 1 });
  await eventually('the call', () => receiver.received.length > 0);
  await api.delete('/api/entities/gone?drop=true');
  blocked.resolve();
  const { error, actions } = await hurried(() => ended('late'));
  assert.deepEqual(
    actions.map(({ status }) => status),
    ['succeeded', 'succeeded', 'failed'],
  );
  assert.equal(actions[1]?.result?.message, 1);
  assert.match(error ?? '', /no entity gone/);
});

test('a dry run returns the changed records, and changes nothing', async () => {
  const order = await newOrder('D-1', { total: 1 });
  await createAutomation(api, 'dry', {
    triggerType: 'webhook',
    actions: [
      action('create', 'createRecord', { entity: 'order', data: { number: 'D-2' } }),
      action('update', 'updateRecord', { entity: 'order', id: order.id, data: { total: 2 } }),
      action('move', 'moveWorkflow', { entity: 'order', id: order.id, to: 'paid' }),
      action('remove', 'deleteRecord', { entity: 'order', id: order.id }),
      action('taken', 'createRecord', { entity: 'order', data: { number: 'D-1' } }),
    ],
  });
  const { body } = await api.post('/api/automations/dry/test', { trigger: {} });
  const [create, update, move, remove, taken] = body.actions;
  assert.deepEqual([create.result.id, create.result.number, create.result.status], [null, 'D-2', 'open']);
  assert.deepEqual(
    { ...update.result, _updated_at: null, _updated_by: null },
    { ...order, total: 2, _updated_at: null, _updated_by: null },
  );
  assert.equal(move.result.status, 'paid');
  assert.deepEqual(remove.result, { success: true });
  assert.equal(taken.status, 'failed');
  assert.match(taken.error, /number is already used by another record/);
  assert.deepEqual((await owner.get(`/api/order/${order.id}`)).body, order);
  assert.equal((await owner.get('/api/order?number=D-2')).body.pagination.total, 0);
});

test('the result of a large record omits its long values', async () => {
  const order = await newOrder('L-1', { note: 'n'.repeat(200_000), total: 1 });
  const { actions } = await run('large', [
    action('update', 'updateRecord', { entity: 'order', id: order.id, data: { total: 2 } }),
  ]);
  const { note: _note, ...short } = (await owner.get(`/api/order/${order.id}`)).body;
  assert.deepEqual(actions[0]?.result, short);
  assert.equal(short.total, 2);
});
