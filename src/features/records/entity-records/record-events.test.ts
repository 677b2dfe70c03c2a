/** Changes of records trigger automations (docs/specification/automations.md#record-events). */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import {
  action,
  countRuns,
  createAutomation,
  type DetailedRun,
  endedRunsInWhole,
  listRuns,
} from '../../../../test/harness/automations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const shop = () => createRecordsTenant(app, SHOP);

/** Creates one automation for each record trigger of an entity. */
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

test('each change triggers its automations, with the record before and after', async () => {
  const tenant = await shop();
  const { owner, api, ownerUserId } = tenant;
  await followAll(tenant, 'order');
  const { body: created } = await owner.post('/api/order', { number: 'A-1', total: 1 });
  const path = `/api/order/${created.id}`;
  const { body: dearer } = await owner.put(path, { total: 2 });
  const { body: paid } = await owner.post(`${path}/workflow/move`, { to: 'paid' });
  const { body: same } = await owner.post(`${path}/workflow/move`, { to: 'paid' });
  const { body: sent } = await owner.put(path, { status: 'sent', total: 3 });
  const { body: taken } = await owner.post(`${path}/workflow/take`, {});
  await owner.delete(path);

  const triggersOf = async (key: string, count: number) =>
    (await endedRunsInWhole(api, key, count)).map(({ trigger }) => trigger);
  assert.deepEqual(await triggersOf('afterCreate', 1), [{ entity: created, previous: null }]);
  assert.deepEqual(await triggersOf('afterUpdate', 5), [
    { entity: dearer, previous: created },
    { entity: paid, previous: dearer },
    { entity: same, previous: paid },
    { entity: sent, previous: same },
    { entity: taken, previous: sent },
  ]);
  assert.deepEqual(await triggersOf('afterWorkflowMove', 2), [
    { entity: paid, previous: dearer },
    { entity: sent, previous: same },
  ]);
  assert.deepEqual(await triggersOf('afterWorflowOwnershipTaken', 1), [{ entity: taken, previous: sent }]);
  assert.equal(taken.agent, ownerUserId);
  assert.deepEqual(await triggersOf('afterDelete', 1), [{ entity: taken, previous: null }]);
});

test('an automation is triggered only by successful changes of its entity', async () => {
  const tenant = await shop();
  const { owner, api } = tenant;
  await followAll(tenant, 'customer');
  await owner.post('/api/product', { title: 'Chair' });
  await owner.post('/api/customer', { name: 'Ann', email: 'ann@shop.test' });
  await owner.post('/api/customer', { name: 'Bob', email: 'ann@shop.test' }, 409);
  await owner.post(
    '/api/customer/bulk',
    { records: [{ name: 'Bob' }, { name: 'Eve', email: 'ann@shop.test' }] },
    400,
  );
  const [run] = await endedRunsInWhole(api, 'afterCreate', 1);
  assert.equal(run?.trigger.entity.name, 'Ann');
  await owner.put('/api/customer/bulk', { filter: { name: 'Nobody' }, update: { name: 'Somebody' } });
  assert.deepEqual(await Promise.all(TRIGGERS.map((key) => countRuns(api, key))), [1, 0, 0, 0, 0]);
});

test('conditions can use the previous record', async () => {
  const { owner, api } = await shop();
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
  const { body: order } = await owner.post('/api/order', { number: 'A-1', total: 5 });
  for (const total of [7, 6]) await owner.put(`/api/order/${order.id}`, { total });
  const runs = await endedRunsInWhole(api, 'raised', 2);
  assert.deepEqual(
    runs.map(({ actions }) => actions.map(({ status, result }) => [status, result?.message])),
    [[['succeeded', '5 -> 7']], [['skipped', undefined]]],
  );
});

/** Sorts runs of one record so that each follows from the previous one. @throws if one does not. */
function inOrder(
  runs: readonly DetailedRun[],
  first: Readonly<Record<string, unknown>>,
): readonly DetailedRun[] {
  const left = new Set(runs);
  const ordered: DetailedRun[] = [];
  for (let state = first; left.size > 0; ) {
    const next = [...left].find(({ trigger }) => JSON.stringify(trigger.previous) === JSON.stringify(state));
    assert.ok(next, `no run follows ${JSON.stringify(state)}`);
    left.delete(next);
    ordered.push(next);
    state = next.trigger.entity;
  }
  return ordered;
}

test('concurrent changes of one record run in order, each with the result of the previous one', async () => {
  const { owner, api } = await shop();
  await createAutomation(api, 'raced', { triggerType: 'afterUpdate', entityKey: 'order', actions: [] });
  const { body: order } = await owner.post('/api/order', { number: 'A-1', total: 0, count: 0 });
  const path = `/api/order/${order.id}`;
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      n % 8 === 0
        ? owner.put('/api/order/bulk', { filter: { number: 'A-1' }, update: { count: n } })
        : owner.put(path, { total: n + 1 }),
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
  const { body: left } = await owner.get(path);
  assert.deepEqual(runs.at(-1)?.trigger.entity, left);
});

test('bulk calls trigger one run for each record', async () => {
  const tenant = await shop();
  const { owner, api } = tenant;
  await followAll(tenant, 'order');
  const records = Array.from({ length: 500 }, (_, n) => ({ number: `B-${n}`, total: n }));
  const { body } = await owner.post('/api/order/bulk', { records });
  await owner.put('/api/order/bulk', { filter: { total__lt: 200 }, update: { status: 'paid' } });
  await owner.put('/api/order/bulk', {
    filter: { total__lt: 300, status: 'paid' },
    update: { status: 'paid', total: 1000 },
  });
  await owner.send('DELETE', '/api/order/bulk', { body: { ids: body.ids } });
  const counts = await eventually('all runs', async () => {
    const found = await Promise.all(TRIGGERS.map((key) => countRuns(api, key)));
    return found[2] === 500 && found;
  });
  assert.deepEqual(counts, [500, 400, 500, 200, 0]);
  const [move] = await endedRunsInWhole(api, 'afterWorkflowMove', 200);
  assert.deepEqual([move?.trigger.previous?.status, move?.trigger.entity.status], ['open', 'paid']);
});

test('large records trigger runs with their previous and current data', async () => {
  const { owner, api } = await shop();
  await createAutomation(api, 'large', { triggerType: 'afterUpdate', entityKey: 'order', actions: [] });
  const note = (letter: string) => letter.repeat(2_000_000);
  const records = Array.from({ length: 3 }, (_, n) => ({ number: `L-${n}`, note: note('a') }));
  await owner.post('/api/order/bulk', { records });
  await owner.put('/api/order/bulk', { filter: { number__like: 'L-' }, update: { note: note('b') } });
  const runs = await endedRunsInWhole(api, 'large', 3);
  for (const { trigger } of runs) {
    assert.ok(trigger.previous?.note === note('a'));
    assert.ok(trigger.entity.note === note('b'));
  }
});

test('inactive and deleted automations are not triggered', async () => {
  const { owner, api } = await shop();
  const definition = { key: 'follow', triggerType: 'afterCreate', entityKey: 'customer' };
  await createAutomation(api, 'follow', { ...definition, active: false });
  await owner.post('/api/customer', { name: 'Ann' });
  assert.equal(await countRuns(api, 'follow'), 0);
  const automation = { app: 'test', name: 'follow', triggerParams: {}, ...definition };
  await api.put('/api/automations/follow', { ...automation, active: true });
  await owner.post('/api/customer', { name: 'Bob' });
  const [run] = await endedRunsInWhole(api, 'follow', 1);
  assert.equal(run?.trigger.entity.name, 'Bob');
  await api.put('/api/automations/follow', { ...automation, active: false });
  await owner.post('/api/customer', { name: 'Eve' });
  assert.equal(await countRuns(api, 'follow'), 1);
});

test('a replayed run waits behind those of its record', async () => {
  const receiver = await startReceiver();
  const pending: ServerResponse[] = [];
  receiver.answer = (_request, response) => void pending.push(response);
  const tenant = await shop();
  const { owner, api } = tenant;
  // With any other note the run of an order fails permanently.
  const params = { method: '{{trigger.entity.note}}', url: receiver.url };
  const trigger = { triggerType: 'afterUpdate', entityKey: 'order' };
  await createAutomation(api, 'asking', { ...trigger, actions: [action('ask', 'httpRequest', params)] });
  const { body: order } = await owner.post('/api/order', { number: 'A-1', total: 1 });
  await owner.put(`/api/order/${order.id}`, { total: 2 });
  const [failed] = await endedRunsInWhole(api, 'asking', 1);
  await owner.put(`/api/order/${order.id}`, { note: 'POST' });
  await eventually('the call', () => pending.length === 1);
  await api.post(`/api/automations/asking/runs/${failed?.run_id}/replay`, undefined, 202);
  // The poll for due runs has passed it by now.
  await createAutomation(api, 'other', { ...trigger, triggerType: 'afterCreate', actions: [] });
  await owner.post('/api/order', { number: 'A-2', total: 1 });
  await endedRunsInWhole(api, 'other', 1);
  const statuses = async () => (await listRuns(api, 'asking')).map(({ status }) => status);
  const [, waiting] = await statuses();
  assert.notEqual(waiting, 'failed');
  pending[0]?.end('{}');
  await endedRunsInWhole(api, 'asking', 2);
  assert.deepEqual(await statuses(), ['succeeded', 'failed']);
});
