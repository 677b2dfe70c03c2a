import assert from 'node:assert/strict';
import test from 'node:test';
import {
  changeAutomation,
  createAutomation,
  endedRuns,
  listRuns,
} from '../../../../test/harness/automations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';

/** Offset of the clock, in ms. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const setClock = (time: string) => {
  ahead = Date.parse(time) - Date.now();
};

setClock('2030-01-01T00:00:10Z');
const app = await startOwnApp({}, { clock });

const every = (cronExpression: string, more: object = {}) => ({
  triggerType: 'cronJob',
  triggerParams: { cronExpression },
  ...more,
});

/** Returns the ticks of an automation's runs, oldest first. */
async function ticksOf(api: Parameters<typeof endedRuns>[0], key: string, count: number) {
  const runs = await endedRuns(api, key, count);
  return runs.map(({ actions }) => Object(actions[0]?.result).message.scheduled_at).sort();
}

/** Resolves once the due schedules have been processed. */
async function waitForPoll() {
  const db = app.app.platform.database.everyTenant('tests').query;
  await eventually('the due schedules to be processed', async () => {
    const due = await db
      .selectFrom('automation_schedules')
      .select('id')
      .where('planned_at', '<=', clock().toISOString())
      .execute();
    return due.length === 0;
  });
}

test('each tick triggers one run, in UTC', async () => {
  setClock('2030-01-02T10:59:50Z');
  const { api } = await app.createTenant();
  await createAutomation(api, 'hourly', every('0 * * * *'));
  await createAutomation(api, 'noon', every('0 12 * * *'));
  setClock('2030-01-02T11:00:00Z');
  assert.deepEqual(await ticksOf(api, 'hourly', 1), ['2030-01-02T11:00:00.000Z']);
  setClock('2030-01-02T12:00:00Z');
  const both = ['2030-01-02T11:00:00.000Z', '2030-01-02T12:00:00.000Z'];
  assert.deepEqual(await ticksOf(api, 'hourly', 2), both);
  assert.deepEqual(await ticksOf(api, 'noon', 1), both.slice(1));
});

test('several missed ticks trigger one run, for the latest of them', async () => {
  setClock('2030-02-01T00:00:30Z');
  const { api } = await app.createTenant();
  await createAutomation(api, 'minutely', every('* * * * *'));
  setClock('2030-02-01T05:00:30Z');
  assert.deepEqual(await ticksOf(api, 'minutely', 1), ['2030-02-01T05:00:00.000Z']);
  await waitForPoll();
  assert.equal((await listRuns(api, 'minutely')).length, 1);
});

// After the clock jumps back, cluster processes wait for leases of others, longer than a test may take.
const notOnCluster = {
  skip: databaseKind() === 'cluster' && 'waiting for leases of other processes takes too long',
};

test('a tick that occurs twice on the clock triggers one run', notOnCluster, async () => {
  setClock('2030-03-01T00:59:59Z');
  const { api, tenantId } = await app.createTenant();
  await createAutomation(api, 'hourly', every('0 * * * *'));
  setClock('2030-03-01T03:00:00Z');
  assert.deepEqual(await ticksOf(api, 'hourly', 1), ['2030-03-01T03:00:00.000Z']);
  await waitForPoll();
  setClock('2030-03-01T01:30:00Z');
  // These schedules still have their old due times. Each is triggered at its own time.
  const db = app.app.platform.database.everyTenant('tests').query;
  await eventually('the next tick to be rescheduled', async () => {
    const { planned_at } = await db
      .selectFrom('automation_schedules')
      .select('planned_at')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    return new Date(planned_at).getTime() === Date.parse('2030-03-01T02:00:00Z');
  });
  setClock('2030-03-01T02:00:00Z');
  const ticks = ['2030-03-01T02:00:00.000Z', '2030-03-01T03:00:00.000Z'];
  assert.deepEqual(await ticksOf(api, 'hourly', 2), ticks);
  await waitForPoll();
  setClock('2030-03-01T03:00:01Z');
  await waitForPoll();
  setClock('2030-03-01T04:00:00Z');
  assert.deepEqual(await ticksOf(api, 'hourly', 3), [...ticks, '2030-03-01T04:00:00.000Z']);
});

test('an automation that is inactive, deleted, or of another trigger has no ticks and misses none', async () => {
  setClock('2030-04-01T00:00:30Z');
  const { api } = await app.createTenant();
  await createAutomation(api, 'off', every('* * * * *', { active: false }));
  await createAutomation(api, 'gone', every('* * * * *'));
  await createAutomation(api, 'other', every('* * * * *'));
  await createAutomation(api, 'kept', every('* * * * *'));
  await api.delete('/api/automations/gone');
  await changeAutomation(api, 'other', { triggerType: 'webhook', triggerParams: {} });
  setClock('2030-04-01T02:00:30Z');
  await ticksOf(api, 'kept', 1);
  await waitForPoll();
  await changeAutomation(api, 'off', { active: true });
  assert.equal((await listRuns(api, 'off')).length, 0);
  assert.equal((await listRuns(api, 'other')).length, 0);
  setClock('2030-04-01T02:01:00Z');
  assert.deepEqual(await ticksOf(api, 'off', 1), ['2030-04-01T02:01:00.000Z']);
});

test('another expression starts with its own next tick; another name changes nothing', async () => {
  setClock('2030-05-01T00:00:30Z');
  const { api } = await app.createTenant();
  await createAutomation(api, 'a', every('0 1 * * *'));
  await changeAutomation(api, 'a', { name: 'Renamed' });
  await createAutomation(api, 'b', every('0 1 * * *'));
  await changeAutomation(api, 'b', every('0 2 * * *'));
  setClock('2030-05-01T01:00:00Z');
  assert.deepEqual(await ticksOf(api, 'a', 1), ['2030-05-01T01:00:00.000Z']);
  setClock('2030-05-01T02:00:00Z');
  assert.deepEqual(await ticksOf(api, 'b', 1), ['2030-05-01T02:00:00.000Z']);
});

test('a schedule follows the clocks of its time zone', async () => {
  setClock('2030-03-30T20:00:30Z');
  const { api } = await app.createTenant();
  await createAutomation(api, 'berlin', every('30 2 * * *'));
  await changeAutomation(api, 'berlin', {
    triggerParams: { cronExpression: '30 2 * * *', timezone: 'Europe/Berlin' },
  });
  // The zone's clocks go from 02:00 to 03:00.
  setClock('2030-03-31T01:00:00Z');
  assert.deepEqual(await ticksOf(api, 'berlin', 1), ['2030-03-31T01:00:00.000Z']);
  const triggerParams = { cronExpression: '0 1 * * *', timezone: 'Berlin' };
  const { body } = await api.post(
    '/api/automations',
    { key: 'nowhere', name: 'x', app: 'x', triggerType: 'cronJob', triggerParams },
    400,
  );
  assert.equal(body.issues[0].field, 'triggerParams.timezone');
});

test('an invalid schedule is rejected', async () => {
  const { api } = await app.createTenant();
  for (const expression of ['61 * * * *', '0 0 31 2 *', '* * * *', '* * * * * *', 'x * * * *']) {
    const definition = { key: 'bad', name: 'Bad', app: 'test', ...every(expression) };
    const { body } = await api.post('/api/automations', definition, 400);
    assert.equal(body.code, 'INVALID_AUTOMATION');
  }
});
