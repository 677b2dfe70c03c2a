/** Changes of records set automations off (docs/specification/automations.md#record-events). */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import {
  action,
  countRuns,
  createAutomation,
  endedRunsInWhole,
  listRuns,
  type WholeRun,
} from '../../../../test/harness/automations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const shop = () => createRecordsTenant(app, SHOP);

/** One automation of each trigger of records of an entity. */
async function followAll(tenant: Awaited<ReturnType<typeof shop>>, entityKey: string): Promise<void> {
  for (const triggerType of TRIGGERS)
    await createAutomation(tenant.api, triggerType, { triggerType, entityKey, actions: [] });
}

const TRIGGERS = [
  'afterCreate',
  'afterUpdate',
  'afterDelete',
  'afterWorkflowMove',
  'afterWorflowOwnershipTaken',
] as const;

test('each trigger is set off by its change, with the record as it is and as it was', async () => {
  const tenant = await shop();
  const { person, api, ownerUserId } = tenant;
  await followAll(tenant, 'order');
  const { body: created } = await person.post('/api/order', { number: 'A-1', total: 1 });
  const path = `/api/order/${created.id}`;
  const { body: dearer } = await person.put(path, { total: 2 });
  const { body: paid } = await person.post(`${path}/workflow/move`, { to: 'paid' });
  const { body: same } = await person.post(`${path}/workflow/move`, { to: 'paid' });
  const { body: sent } = await person.put(path, { status: 'sent', total: 3 });
  const { body: taken } = await person.post(`${path}/workflow/take`, {});
  await person.delete(path);

  const told = async (key: string, count: number) =>
    (await endedRunsInWhole(api, key, count)).map(({ trigger }) => trigger);
  assert.deepEqual(await told('afterCreate', 1), [{ entity: created, previous: null }]);
  assert.deepEqual(await told('afterUpdate', 5), [
    { entity: dearer, previous: created },
    { entity: paid, previous: dearer },
    { entity: same, previous: paid },
    { entity: sent, previous: same },
    { entity: taken, previous: sent },
  ]);
  assert.deepEqual(await told('afterWorkflowMove', 2), [
    { entity: paid, previous: dearer },
    { entity: sent, previous: same },
  ]);
  assert.deepEqual(await told('afterWorflowOwnershipTaken', 1), [{ entity: taken, previous: sent }]);
  assert.equal(taken.agent, ownerUserId);
  assert.deepEqual(await told('afterDelete', 1), [{ entity: taken, previous: null }]);
});

test('an automation follows the changes of its entity alone, and what is refused sets nothing off', async () => {
  const tenant = await shop();
  const { person, api } = tenant;
  await followAll(tenant, 'customer');
  await person.post('/api/product', { title: 'Chair' });
  await person.post('/api/customer', { name: 'Ann', email: 'ann@shop.test' });
  await person.post('/api/customer', { name: 'Bob', email: 'ann@shop.test' }, 409);
  await person.post(
    '/api/customer/bulk',
    { records: [{ name: 'Bob' }, { name: 'Eve', email: 'ann@shop.test' }] },
    400,
  );
  const [run] = await endedRunsInWhole(api, 'afterCreate', 1);
  assert.equal(run?.trigger.entity.name, 'Ann');
  await person.put('/api/customer/bulk', { filter: { name: 'Nobody' }, update: { name: 'Somebody' } });
  assert.deepEqual(await Promise.all(TRIGGERS.map((key) => countRuns(api, key))), [1, 0, 0, 0, 0]);
});

test('conditions see what a record was before', async () => {
  const { person, api } = await shop();
  await createAutomation(api, 'raised', {
    actions: [],
    triggerType: 'afterUpdate',
    entityKey: 'order',
    conditionalActions: [
      {
        condition: {
          combinator: 'and',
          rules: [{ field: 'total', operator: 'greaterThan', value: '{{trigger.previous.total}}' }],
        },
        actions: [
          action('say', 'log', { message: '{{trigger.previous.total}} -> {{trigger.entity.total}}' }),
        ],
      },
    ],
  });
  const { body: order } = await person.post('/api/order', { number: 'A-1', total: 5 });
  for (const total of [7, 6]) await person.put(`/api/order/${order.id}`, { total });
  const runs = await endedRunsInWhole(api, 'raised', 2);
  assert.deepEqual(
    runs.map(({ actions }) => actions.map(({ status, result }) => [status, result?.message])),
    [[['succeeded', '5 -> 7']], [['skipped', undefined]]],
  );
});

/** Runs of one record as each follows from the one before. @throws when one does not. */
function inOrder(runs: readonly WholeRun[], first: Readonly<Record<string, unknown>>): readonly WholeRun[] {
  const left = new Set(runs);
  const ordered: WholeRun[] = [];
  for (let state = first; left.size > 0; ) {
    const next = [...left].find(({ trigger }) => JSON.stringify(trigger.previous) === JSON.stringify(state));
    assert.ok(next, `no run follows ${JSON.stringify(state)}`);
    left.delete(next);
    ordered.push(next);
    state = next.trigger.entity;
  }
  return ordered;
}

test('of changes of one record that race, each run sees what the one before has left, and begins after it', async () => {
  const { person, api } = await shop();
  await createAutomation(api, 'raced', { triggerType: 'afterUpdate', entityKey: 'order', actions: [] });
  const { body: order } = await person.post('/api/order', { number: 'A-1', total: 0, count: 0 });
  const path = `/api/order/${order.id}`;
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      n % 8 === 0
        ? person.put('/api/order/bulk', { filter: { number: 'A-1' }, update: { count: n } })
        : person.put(path, { total: n + 1 }),
    ),
  );
  const runs = inOrder(await endedRunsInWhole(api, 'raced', 24), order);
  assert.equal(runs.length, 24);
  for (const [nth, run] of runs.entries()) {
    const before = runs[nth - 1];
    assert.ok(
      !before || before.finished_at <= run.started_at,
      `run ${nth} began before the one before had ended`,
    );
  }
  const { body: left } = await person.get(path);
  assert.deepEqual(runs.at(-1)?.trigger.entity, left);
});

test('bulk calls set off one run for each record', async () => {
  const tenant = await shop();
  const { person, api } = tenant;
  await followAll(tenant, 'order');
  const records = Array.from({ length: 500 }, (_, n) => ({ number: `B-${n}`, total: n }));
  const { body } = await person.post('/api/order/bulk', { records });
  await person.put('/api/order/bulk', { filter: { total__lt: 200 }, update: { status: 'paid' } });
  await person.put('/api/order/bulk', {
    filter: { total__lt: 300, status: 'paid' },
    update: { status: 'paid', total: 1000 },
  });
  await person.send('DELETE', '/api/order/bulk', { body: { ids: body.ids } });
  const counts = await eventually('all runs', async () => {
    const found = await Promise.all(TRIGGERS.map((key) => countRuns(api, key)));
    return found[2] === 500 && found;
  });
  assert.deepEqual(counts, [500, 400, 500, 200, 0]);
  const [move] = await endedRunsInWhole(api, 'afterWorkflowMove', 200);
  assert.deepEqual([move?.trigger.previous?.status, move?.trigger.entity.status], ['open', 'paid']);
});

test('large records set off runs with what they were and are', async () => {
  const { person, api } = await shop();
  await createAutomation(api, 'large', { triggerType: 'afterUpdate', entityKey: 'order', actions: [] });
  const note = (letter: string) => letter.repeat(2_000_000);
  const records = Array.from({ length: 3 }, (_, n) => ({ number: `L-${n}`, note: note('a') }));
  await person.post('/api/order/bulk', { records });
  await person.put('/api/order/bulk', { filter: { number__like: 'L-' }, update: { note: note('b') } });
  const runs = await endedRunsInWhole(api, 'large', 3);
  for (const { trigger } of runs) {
    assert.ok(trigger.previous?.note === note('a'));
    assert.ok(trigger.entity.note === note('b'));
  }
});

test('inactive and deleted automations are not triggered', async () => {
  const { person, api } = await shop();
  const definition = { key: 'follow', triggerType: 'afterCreate', entityKey: 'customer' };
  await createAutomation(api, 'follow', { ...definition, active: false });
  await person.post('/api/customer', { name: 'Ann' });
  assert.equal(await countRuns(api, 'follow'), 0);
  const whole = { app: 'test', name: 'follow', triggerParams: {}, ...definition };
  await api.put('/api/automations/follow', { ...whole, active: true });
  await person.post('/api/customer', { name: 'Bob' });
  const [run] = await endedRunsInWhole(api, 'follow', 1);
  assert.equal(run?.trigger.entity.name, 'Bob');
  await api.put('/api/automations/follow', { ...whole, active: false });
  await person.post('/api/customer', { name: 'Eve' });
  assert.equal(await countRuns(api, 'follow'), 1);
});

test('a run that is replayed waits behind those of its record', async () => {
  const receiver = await startReceiver();
  const held: ServerResponse[] = [];
  receiver.answer = (_request, response) => void held.push(response);
  const tenant = await shop();
  const { person, api } = tenant;
  // Of an order with any other note it fails for good.
  const params = { method: '{{trigger.entity.note}}', url: receiver.url };
  const trigger = { triggerType: 'afterUpdate', entityKey: 'order' };
  await createAutomation(api, 'asking', { ...trigger, actions: [action('ask', 'httpRequest', params)] });
  const { body: order } = await person.post('/api/order', { number: 'A-1', total: 1 });
  await person.put(`/api/order/${order.id}`, { total: 2 });
  const [failed] = await endedRunsInWhole(api, 'asking', 1);
  await person.put(`/api/order/${order.id}`, { note: 'POST' });
  await eventually('the call', () => held.length === 1);
  await api.post(`/api/automations/asking/runs/${failed?.run_id}/replay`, undefined, 202);
  // Whoever looks for due runs by now has looked over it.
  await createAutomation(api, 'other', { ...trigger, triggerType: 'afterCreate', actions: [] });
  await person.post('/api/order', { number: 'A-2', total: 1 });
  await endedRunsInWhole(api, 'other', 1);
  const statuses = async () => (await listRuns(api, 'asking')).map(({ status }) => status);
  const [, waiting] = await statuses();
  assert.notEqual(waiting, 'failed');
  held[0]?.end('{}');
  await endedRunsInWhole(api, 'asking', 2);
  assert.deepEqual(await statuses(), ['succeeded', 'failed']);
});
