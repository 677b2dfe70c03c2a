/** Runs of automations during faults of processes, receivers and the database, and during changes of definitions. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  assertAllHappened,
  callsOf,
  delayCalls,
  startActionSite,
  startAllActions,
} from '../harness/action-site.ts';
import { action, automation, countRuns, endOfRun, listRuns, startRun } from '../harness/automations.ts';
import { cutConnections } from '../harness/connection-cuts.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createRecordsTenant, type RecordsTenant } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const RUNS = 15;
const CUTS = 4;
const CUT_EVERY_MS = 150;
/** More than the calls that a process makes at once for one tenant. */
const SLOW_RUNS = 100;

const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';
const app = await startTestApp();

/** Creates a tenant with an entity `thing`, one record of it, and a receiver. */
async function startThings() {
  const tenant = await createRecordsTenant(app, [
    { name: 'thing', fields: [{ name: 'name', type: 'string' }] },
  ]);
  const { body } = await tenant.owner.post('/api/thing', { name: 'First' });
  return { tenant, receiver: await startReceiver(), thing: `/api/thing/${body.id}` };
}

/** Creates an automation on changes of things that calls a path with the new name in it. */
function calling(key: string, url: string, more: object = {}) {
  const call = { method: 'POST', url: `${url}/{{trigger.entity.name}}`, body: {} };
  const when = { triggerType: 'afterUpdate', entityKey: 'thing' };
  return automation(key, [action('call', 'httpRequest', call)], { ...when, ...more });
}

/** Changes a record twice: the receiver delays the first change's run, and the second run waits for it. */
async function changeTwice({ owner }: RecordsTenant, thing: string, isHeld: () => boolean): Promise<void> {
  await owner.put(thing, { name: 'held' });
  await eventually('the first run to be at the receiver', isHeld);
  await owner.put(thing, { name: 'waits' });
}

test('two workers share the runs of an API process, with every action done once and called once', {
  skip,
}, async () => {
  const site = await startActionSite({ ROLE: 'api' });
  const worker = { ...site.env, ROLE: 'worker' };
  await Promise.all([startProcess(worker), startProcess(worker)]);
  await assertAllHappened(site, await startAllActions(site.current(), RUNS));
  assert.equal(site.receiver.received.length, RUNS);
});

test('cut database connections lose no run and repeat no action', { skip }, async () => {
  const site = await startActionSite();
  const all = await startAllActions(site.current(), RUNS);
  for (let cut = 0; cut < CUTS; cut += 1) {
    await cutConnections(site.env.DATABASE_URL ?? '');
    await setTimeout(CUT_EVERY_MS);
  }
  await assertAllHappened(site, all);
});

test('a run uses the definition that was current when it was triggered', async () => {
  const { tenant, receiver, thing } = await startThings();
  const release = delayCalls(receiver, '/old/held');
  await tenant.api.post('/api/automations', calling('changed', `${receiver.url}/old`));
  await changeTwice(tenant, thing, () => callsOf(receiver, '/old/held').length === 1);
  await tenant.api.put('/api/automations/changed', calling('changed', `${receiver.url}/new`));
  await tenant.owner.put(thing, { name: 'later' });
  release();
  await eventually('the last run', () => callsOf(receiver, '/new/later').length === 1);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/old/held', '/old/waits', '/new/later'],
  );
});

test('when an automation is switched off, a started run continues and a waiting one is skipped', async () => {
  const { tenant, receiver, thing } = await startThings();
  const release = delayCalls(receiver, '/held');
  await tenant.api.post('/api/automations', calling('off', receiver.url));
  await changeTwice(tenant, thing, () => callsOf(receiver, '/held').length === 1);
  await tenant.api.put('/api/automations/off', calling('off', receiver.url, { active: false }));
  release();
  const statuses = await eventually('both runs to end', async () => {
    const found = (await listRuns(tenant.api, 'off')).map(({ status }) => status);
    return found.some((status) => status === 'queued' || status === 'running') ? null : found;
  });
  assert.deepEqual(statuses, ['skipped', 'succeeded']);
  assert.equal(callsOf(receiver, '/waits').length, 0);
});

test('a deleted automation runs no further actions, even if another has its key', async () => {
  const { tenant, receiver, thing } = await startThings();
  const release = delayCalls(receiver, '/old/held');
  await tenant.api.post('/api/automations', calling('gone', `${receiver.url}/old`));
  await changeTwice(tenant, thing, () => callsOf(receiver, '/old/held').length === 1);
  await tenant.api.delete('/api/automations/gone');
  await tenant.api.post('/api/automations', calling('gone', `${receiver.url}/new`));
  await tenant.owner.put(thing, { name: 'later' });
  release();
  await eventually('the run of the new one', () => callsOf(receiver, '/new/later').length === 1);
  assert.equal(await countRuns(tenant.api, 'gone'), 1);
  assert.equal(callsOf(receiver, '/old/waits').length, 0);
});

test('a receiver that does not respond delays no run of another tenant', async () => {
  const slow = await startThings();
  const quick = await startThings();
  const release = delayCalls(slow.receiver, '/slow');
  const call = (url: string) =>
    automation('call', [action('call', 'httpRequest', { method: 'POST', url, body: {} })]);
  await slow.tenant.api.post('/api/automations', call(`${slow.receiver.url}/slow`));
  await quick.tenant.api.post('/api/automations', call(`${quick.receiver.url}/quick`));
  for (let n = 0; n < SLOW_RUNS; n += 1) await startRun(slow.tenant.api, 'call');
  await eventually('calls to be held', () => slow.receiver.received.length > 0);
  const delayedCalls = slow.receiver.received.length;
  const { status } = await endOfRun(
    quick.tenant.api,
    'call',
    await startRun(quick.tenant.api, 'call'),
    10_000,
  );
  assert.equal(status, 'succeeded');
  assert.ok(
    delayedCalls > 0 && (await listRuns(slow.tenant.api, 'call')).every((run) => run.status !== 'succeeded'),
  );
  release();
});
