/** Schedules while no process runs, while two processes run, and over restarts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createAutomation, endedRuns, listRuns } from '../harness/automations.ts';
import { type Client, createClient } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { startOwnApp, type TestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const severalProcesses = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

/** How far the processes' clock is ahead, in ms. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const setClock = (time: string) => {
  ahead = Date.parse(time) - Date.now();
};

/** Starts another process on the same data. */
async function startBeside({ env }: TestApp) {
  const app = await startApp(loadConfig(env), { clock, log: pino({ level: 'silent' }) });
  after(() => app.stop());
  const address = app.server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { app, client: (key: string) => createClient(`http://127.0.0.1:${port}`, { 'x-api-key': key }) };
}

const everyMinute = { triggerType: 'cronJob', triggerParams: { cronExpression: '* * * * *' } };

async function ticksOf(api: Client, key: string, count: number): Promise<string[]> {
  const runs = await endedRuns(api, key, count);
  return runs.map(({ actions }) => Object(actions[0]?.result).message.scheduled_at).sort();
}

test('ticks missed while no process ran trigger one run after the start', async () => {
  setClock('2031-01-01T00:00:30Z');
  const first = await startOwnApp({}, { clock });
  const tenant = await first.createTenant();
  await createAutomation(tenant.api, 'minutely', everyMinute);
  setClock('2031-01-01T00:01:00Z');
  await ticksOf(tenant.api, 'minutely', 1);
  await first.app.stop();
  setClock('2031-01-03T12:30:30Z');
  const { app, client } = await startBeside(first);
  const api = client(tenant.apiKey);
  const expected = ['2031-01-01T00:01:00.000Z', '2031-01-03T12:30:00.000Z'];
  assert.deepEqual(await ticksOf(api, 'minutely', 2), expected);
  await app.stop();
  const again = await startBeside(first);
  const later = again.client(tenant.apiKey);
  setClock('2031-01-03T12:31:00Z');
  assert.deepEqual(await ticksOf(later, 'minutely', 3), [...expected, '2031-01-03T12:31:00.000Z']);
  await again.app.stop();
});

test('only one of several processes triggers the run of a tick', { skip: severalProcesses }, async () => {
  setClock('2032-01-01T00:00:30Z');
  const first = await startOwnApp({}, { clock });
  const { api } = await first.createTenant();
  await startBeside(first);
  await startBeside(first);
  const keys = Array.from({ length: 10 }, (_each, index) => `minutely_${index}`);
  for (const key of keys) await createAutomation(api, key, everyMinute);
  const ticks: string[] = [];
  for (let minute = 1; minute <= 5; minute += 1) {
    const tick = `2032-01-01T00:0${minute}:00`;
    ticks.push(`${tick}.000Z`);
    setClock(`${tick}Z`);
    for (const key of keys) assert.deepEqual(await ticksOf(api, key, minute), ticks);
  }
  const db = first.app.platform.database.everyTenant('tests').query;
  await eventually('all schedules to wait for the next tick', async () => {
    const planned = await db.selectFrom('automation_schedules').select(['due_at', 'planned_at']).execute();
    return planned.every(({ due_at, planned_at }) => due_at === planned_at);
  });
  for (const key of keys) assert.equal((await listRuns(api, key)).length, 5);
});
