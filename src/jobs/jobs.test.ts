import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import { sql } from 'kysely';
import Type from 'typebox';
import { eventually } from '../../test/harness/poll.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { jobQueue, startSchedules } from './job-queue.ts';
import { defineJob, type Job, type JobDefinition } from './jobs.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

/** Number of attempts of a job that always throws. */
const TRIES = 8;
let now = new Date('2030-01-01T00:10:00Z');
// A process that only serves HTTP, so that enqueued jobs wait.
const { app, createTenant } = await startOwnApp({ ROLE: 'api' }, { clock: () => now });
const { platform } = app;
const { tenantId } = await createTenant();
const db = platform.scoped(wholeTenant(tenantId));

function newJob(
  name: string,
  run: Job['runChecked'] = async () => {},
  facts: Partial<Pick<JobDefinition, 'timeoutSeconds' | 'schedule'>> = {},
): Job {
  const payload = Type.Object({ id: Type.Optional(Type.String()) });
  return defineJob({ name, payload, timeoutSeconds: 60, ...facts, run });
}

function rowsOf({ name }: Job) {
  return platform.database
    .everyTenant('tests')
    .query.selectFrom('jobs')
    .selectAll()
    .where('name', '=', name)
    .execute();
}

/** Starts a worker, as in every process. */
function startWorker(t: TestContext, job: Job) {
  const worker = jobQueue([job]).createWorker(platform);
  worker.start();
  t.after(() => worker.stop());
  return worker;
}

/** Waits until the job has had this number of attempts. */
function tried(job: Job, attempts: number) {
  return eventually(`attempt ${attempts}`, async () => {
    const [row] = await rowsOf(job);
    return row?.attempts === attempts ? row : null;
  });
}

/** Advances the clock to each retry, until only the last attempt is left. */
async function failToTheLast(worker: { wake(): void }, job: Job): Promise<void> {
  for (let attempts = 1; attempts < TRIES; attempts += 1) {
    const row = await tried(job, attempts);
    now = new Date(row.due_at);
    worker.wake();
  }
}

test('enqueueing needs no connection besides the transaction', { timeout: 60_000 }, async () => {
  const job = newJob('test.first-enqueue');
  await db.transaction((tx) => platform.jobs.enqueue(tx, job, { id: 'a' }));
  assert.deepEqual(
    (await rowsOf(job)).map(({ payload }) => payload),
    [{ id: 'a' }],
  );
});

test('a job is rolled back with the transaction that enqueued it', async () => {
  const job = newJob('test.rolled-back');
  const undone = db.transaction(async (tx) => {
    await platform.jobs.enqueue(tx, job, { id: 'a' });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await rowsOf(job), []);
});

test('a payload that does not match the schema does not reach the job', async () => {
  const job = newJob('test.payload');
  await assert.rejects(job.runChecked(platform, { id: 1 }));
});

test('a job that fails is retried after a wait, and deleted once it succeeds', async (t) => {
  let runs = 0;
  const job = newJob('test.fails-once', async () => {
    runs += 1;
    if (runs === 1) throw new Error('not yet');
  });
  await platform.jobs.enqueue(db, job, {});
  const worker = startWorker(t, job);
  const { last_error, due_at } = await tried(job, 1);
  assert.match(last_error ?? '', /not yet/);
  assert.ok(new Date(due_at) > now);
  now = new Date(due_at);
  worker.wake();
  await eventually('the end', async () => (await rowsOf(job)).length === 0);
  assert.equal(runs, 2);
});

test('a job that always fails, or is unknown, fails and stays in the table', async (t) => {
  const failing = newJob('test.fails', () => Promise.reject(new Error('never')));
  const worker = startWorker(t, failing);
  for (const job of [failing, newJob('test.unknown')]) {
    await platform.jobs.enqueue(db, job, {});
    worker.wake();
    await failToTheLast(worker, job);
    assert.equal((await tried(job, TRIES)).state, 'failed');
  }
});

test('a job that takes too long counts as failed', async (t) => {
  const job = newJob('test.hangs', () => new Promise(() => {}), { timeoutSeconds: 0.05 });
  await platform.jobs.enqueue(db, job, {});
  startWorker(t, job);
  assert.match((await tried(job, 1)).last_error ?? '', /longer than 0\.05 seconds/);
});

test('a job of a killed process runs in another one once its lease has ended', async (t) => {
  const job = newJob('test.killed');
  await platform.jobs.enqueue(db, job, {});
  await platform.database
    .everyTenant('tests')
    .query.updateTable('jobs')
    // The clock of the database decides when a lease ends.
    .set({ due_at: new Date(Date.now() + 500), claim_id: randomUUID() })
    .where('name', '=', job.name)
    .execute();
  startWorker(t, job);
  await eventually('the end', async () => (await rowsOf(job)).length === 0);
});

for (const schedule of ['every now and then', '61 * * * *', '0 0 30 2 *']) {
  test(`a job with the schedule ${schedule} is refused where it is defined`, () => {
    assert.throws(() => newJob('test.unreadable', undefined, { schedule }));
  });
}

test('failed jobs are found by an index', async () => {
  const { rows } = await sql<{
    plan: string;
  }>`select indexdef as plan from pg_indexes where tablename = 'jobs'`.execute(
    platform.database.everyTenant('tests').query,
  );
  assert.ok(rows.some(({ plan }) => /\(due_at\) WHERE \(state = 'failed'/.test(plan)));
});

test('a schedule runs once per time in any number of processes, and once after a time without any process', async (t) => {
  const runs: string[] = [];
  const job = newJob('test.schedule', async () => void runs.push(now.toISOString()), {
    schedule: '0 * * * *',
  });
  const dueAt = async () => (await rowsOf(job)).map(({ due_at }) => due_at);
  now = new Date('2031-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  const workers = [startWorker(t, job), startWorker(t, job)];
  assert.deepEqual(await dueAt(), ['2031-01-01T01:00:00.000Z']);
  now = new Date('2031-01-01T01:00:00Z');
  for (const worker of workers) worker.wake();
  await eventually('the next plan', async () => (await dueAt())[0] === '2031-01-01T02:00:00.000Z');
  for (const worker of workers) worker.wake();
  for (const worker of workers) await worker.stop();
  assert.deepEqual(runs, ['2031-01-01T01:00:00.000Z']);

  now = new Date('2031-01-01T05:30:00Z');
  await startSchedules(platform, [job]);
  startWorker(t, job);
  await eventually(
    'the plan after the outage',
    async () => (await dueAt())[0] === '2031-01-01T06:00:00.000Z',
  );
  assert.deepEqual(runs.slice(1), ['2031-01-01T05:30:00.000Z']);
});

test('a schedule whose last attempt fails still gets its next time', async (t) => {
  const newYear = '2034-01-01T00:00:00.000Z';
  const job = newJob('test.failing-schedule', () => Promise.reject(new Error('never')), {
    schedule: '0 0 1 1 *',
  });
  now = new Date('2032-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  now = new Date('2033-01-01T00:00:00Z');
  const worker = startWorker(t, job);
  await failToTheLast(worker, job);
  const { planned_at, due_at, state, last_error } = await tried(job, 0);
  assert.deepEqual([planned_at, due_at, state], [newYear, newYear, 'pending']);
  assert.match(last_error ?? '', /never/);
});

test('a next time computed by a clock that was ahead is replaced', async () => {
  const job = newJob('test.ahead', undefined, { schedule: '0 * * * *' });
  now = new Date('2040-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  now = new Date('2035-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  const [row] = await rowsOf(job);
  assert.equal(row?.due_at, '2035-01-01T01:00:00.000Z');
});
