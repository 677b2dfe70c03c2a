/**
 * Automations read records, and relations of the record that triggers them
 * (docs/specification/automations.md#actions-on-records).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  action,
  automation,
  createAutomation,
  endedRunsInWhole,
} from '../../../../../test/harness/automations.ts';
import { createRecordsTenant, SHOP } from '../../../../../test/harness/records.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createRecordsTenant(app, SHOP);
const { api, owner } = tenant;

const create = async (entity: string, body: object) => (await owner.post(`/api/${entity}`, body)).body;

/** Runs actions with a manual trigger, to their end. */
async function run(key: string, actions: readonly object[], trigger: object = {}, more: object = {}) {
  await createAutomation(api, key, { triggerType: 'webhook', actions, ...more });
  await api.post(`/api/automations/${key}/run`, { trigger }, 202);
  const [done] = await endedRunsInWhole(api, key, 1);
  assert.ok(done);
  return done;
}

const ann = await create('customer', { name: 'Ann', email: 'ann@example.org' });
const orders: { id: string; [name: string]: unknown }[] = [];
for (const total of [10, 30, 20])
  orders.push(await create('order', { number: `F-${total}`, total, customer_id: ann.id }));

test('an action reads a record with its relations', async () => {
  const { actions, status } = await run('reads', [
    action('plain', 'getRecord', { entity: 'customer', id: ann.id }),
    action('with', 'getRecord', { entity: 'order', id: orders[0]?.id, include: 'customer,items' }),
    action('said', 'log', { message: '{{actions.with.customer.email}}' }),
  ]);
  assert.equal(status, 'succeeded');
  assert.deepEqual(actions[0]?.result, ann);
  assert.deepEqual(actions[1]?.result, { ...orders[0], customer: ann, items: [] });
  assert.deepEqual(actions[2]?.result, { message: 'ann@example.org' });
});

test('an action finds records by filter and order, and returns their number', async () => {
  const { actions } = await run(
    'finds',
    [
      action('all', 'findRecords', {
        entity: 'order',
        filter: { customer_id: '{{trigger.customer}}', total__gte: 20 },
        include: ['customer'],
        sort: '-total',
        limit: 1,
      }),
      action('some', 'findRecords', {
        entity: 'order',
        filter: { number__in: ['F-10', 'F-20'] },
        sort: 'total',
      }),
      action('none', 'findRecords', { entity: 'order', filter: { number: 'F-0' } }),
      action('usual', 'findRecords', { entity: 'customer' }),
    ],
    { customer: ann.id },
  );
  const found = actions.map(({ result }) => [
    result.records.map(({ number }: { number?: string }) => number),
    result.total,
  ]);
  assert.deepEqual(found.slice(0, 3), [
    [['F-30'], 2],
    [['F-10', 'F-20'], 2],
    [[], 0],
  ]);
  assert.deepEqual(actions[0]?.result.records[0].customer, ann);
  assert.deepEqual(actions[3]?.result.records, [ann]);
});

test('a dry run reads like a run', async () => {
  await createAutomation(api, 'dry', {
    triggerType: 'webhook',
    actions: [action('read', 'getRecord', { entity: 'customer', id: ann.id })],
  });
  const { body } = await api.post('/api/automations/dry/test', {});
  assert.deepEqual(body.actions[0].result, ann);
});

test('an invalid read fails the action with a message that names the parameter', async () => {
  const cases: readonly [string, object, RegExp][] = [
    ['getRecord', { entity: 'ghost', id: ann.id }, /no entity ghost/],
    ['getRecord', { entity: 'order', id: 'x' }, /no record of order with the id x/],
    ['getRecord', { entity: 'order', id: ann.id, include: 'friends' }, /include .*no relation friends/],
    ['findRecords', { entity: 'order', filter: { color: 'red' } }, /there is no field color/],
    ['findRecords', { entity: 'order', filter: { page: '2' } }, /filter\.page is not a field/],
    ['findRecords', { entity: 'order', limit: 101 }, /limit/],
    ['findRecords', { entity: 'order', sort: 'size' }, /sort .*no field size/],
  ];
  for (const [type, params, error] of cases) {
    const body = automation(`refused_${type}`, [action('read', type, params)]);
    await api.post('/api/automations', { ...body, key: 'refused' });
    const { body: response } = await api.post('/api/automations/refused/test', {});
    await api.delete('/api/automations/refused');
    assert.match(String(response.error), error, JSON.stringify(params));
  }
});

test('the error for a null parameter names the expression without a value', async () => {
  const cases: readonly [string, object, string][] = [
    [
      'updateRecord',
      { entity: 'order', id: '{{trigger.entity.parent_id}}', data: {} },
      'id|entity.parent_id',
    ],
    [
      'createRecord',
      { entity: 'order', data: { number: '{{ trigger.entity.no }}' } },
      'data.number|entity.no',
    ],
    [
      'findRecords',
      { entity: 'order', filter: { total: '{{trigger.entity.sum}}' } },
      'filter.total|entity.sum',
    ],
    ['addToList', { email: '{{trigger.entity.mail}}', list_id: 'x' }, 'email|entity.mail'],
  ];
  for (const [type, params, names] of cases) {
    const [field, path] = names.split('|');
    await api.post('/api/automations', automation('nulls', [action('a', type, params)]));
    const { body } = await api.post('/api/automations/nulls/test', { trigger: { entity: { id: 1 } } });
    await api.delete('/api/automations/nulls');
    assert.match(
      body.error,
      new RegExp(`params\\.${field} is null, as \\{\\{trigger\\.${path}\\}\\} has no value`),
    );
  }
});

test('paths follow the relations of the record that triggers an automation, also in conditions', async () => {
  await createAutomation(api, 'related', {
    triggerType: 'afterCreate',
    entityKey: 'order_item',
    actions: [
      action('mail', 'log', { message: '{{trigger.entity.order.customer.email}}' }),
      action('whole', 'log', { message: '{{trigger.entity.order}}' }),
      action('self', 'log', { message: '{{trigger.entity}}' }),
    ],
    conditionalActions: [
      {
        condition: {
          combinator: 'and',
          rules: [
            { field: 'order.customer.name', value: 'Ann' },
            { field: 'trigger.entity.order.total', operator: 'greaterThan', value: 20 },
          ],
        },
        actions: [action('held', 'log', { message: 'large order of Ann' })],
      },
    ],
  });
  const order = orders[1];
  const item = await create('order_item', { order_id: order?.id, quantity: 2 });
  const [done] = await endedRunsInWhole(api, 'related', 1);
  const results = done?.actions.map(({ result }) => result?.message);
  assert.deepEqual(results, [ann.email, { ...order, customer: ann }, item, 'large order of Ann']);
});

test('an empty relation, or one to a deleted record, is null, and a deleted record still has its own', async () => {
  await createAutomation(api, 'gone', {
    triggerType: 'afterDelete',
    entityKey: 'order',
    actions: [action('name', 'log', { message: 'of {{trigger.entity.customer.name}}.' })],
  });
  const of = async (customer: string | null, number: string) => {
    const { id } = await create('order', { number, customer_id: customer });
    await owner.delete(`/api/order/${id}`);
  };
  await of(ann.id, 'G-1');
  await of(null, 'G-2');
  const missing = { entity: { customer_id: orders[0]?.id } };
  await api.post('/api/automations/gone/run', { trigger: missing }, 202);
  const runs = await endedRunsInWhole(api, 'gone', 3);
  const messages = runs.map(({ actions }) => actions[0]?.result.message).sort();
  assert.deepEqual(messages, ['of .', 'of .', 'of Ann.']);
});

test('values are converted to the type of their field if nothing is lost', async () => {
  const { actions } = await run(
    'converts',
    [
      action('made', 'createRecord', {
        entity: 'order',
        data: {
          number: 'C-1',
          note: '{{trigger.number}}',
          total: '{{trigger.text}}',
          count: '{{trigger.count}}',
          paid: '{{trigger.flag}}',
        },
      }),
      action('changed', 'updateRecord', {
        entity: 'order',
        id: '{{actions.made.id}}',
        data: { note: '{{trigger.large}}', agent: '{{trigger.is}}' },
      }),
    ],
    { number: 0.00000012, text: '12.50', count: '7', flag: 'true', large: 1e21, is: false },
  );
  const [created, changed] = actions.map(({ result }) => result);
  assert.deepEqual(
    [created?.note, created?.total, created?.count, created?.paid],
    ['0.00000012', 12.5, 7, true],
  );
  assert.deepEqual([changed?.note, changed?.agent], ['1000000000000000000000', 'false']);
  for (const total of ['1e', '12345678901234567.8', '']) {
    const data = { number: 'C-2', total };
    await api.post(
      '/api/automations',
      automation('lossy', [action('a', 'createRecord', { entity: 'order', data })]),
    );
    const { body } = await api.post('/api/automations/lossy/test', {});
    await api.delete('/api/automations/lossy');
    assert.match(body.error, /total must be a number/, total);
  }
});
