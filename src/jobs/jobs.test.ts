import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import Type from 'typebox';
import { eventually } from '../../test/harness/poll.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { jobLedger, startSchedules } from './job-ledger.ts';
import { defineJob, type Job } from './jobs.ts';

/** How often the ledger tries what breaks. */
const TRIES = 8;
let now = new Date('2030-01-01T00:10:00Z');
// A process that only serves HTTP: what it enqueues waits.
const { app, createTenant } = await startOwnApp({ ROLE: 'api' }, { clock: () => now });
const { platform } = app;
const { tenantId } = await createTenant();
const db = platform.scoped(wholeTenant(tenantId));

function newJob(name: string, run: Job['runChecked'] = async () => {}, facts: Partial<Job> = {}): Job {
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

/** A worker as each process has one. */
function startWorker(t: TestContext, job: Job) {
  const worker = jobLedger([job]).createWorker(platform);
  worker.start();
  t.after(() => worker.stop());
  return worker;
}

/** Waits until the job was tried so often. */
function tried(job: Job, attempts: number) {
  return eventually(`attempt ${attempts}`, async () => {
    const [row] = await rowsOf(job);
    return row?.attempts === attempts ? row : null;
  });
}

/** Turns the clock to each further try, until only the last is left. */
async function failToTheLast(worker: { wake(): void }, job: Job): Promise<void> {
  for (let attempts = 1; attempts < TRIES; attempts += 1) {
    const row = await tried(job, attempts);
    now = new Date(row.due_at);
    worker.wake();
  }
}

test('enqueueing needs no connection beside the transaction', { timeout: 60_000 }, async () => {
  const job = newJob('test.first-enqueue');
  await db.transaction((tx) => platform.jobs.enqueue(tx, job, { id: 'a' }));
  assert.deepEqual(
    (await rowsOf(job)).map(({ payload }) => payload),
    [{ id: 'a' }],
  );
});

test('a job vanishes with the transaction that enqueued it', async () => {
  const job = newJob('test.rolled-back');
  const undone = db.transaction(async (tx) => {
    await platform.jobs.enqueue(tx, job, { id: 'a' });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await rowsOf(job), []);
});

test('a payload of another shape does not reach the job', async () => {
  const job = newJob('test.payload');
  await assert.rejects(job.runChecked(platform, { id: 1 }));
});

test('a job that fails is run again after a while, and forgotten once it is done', async (t) => {
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

test('a job that always fails, or is not known any more, is given up and kept', async (t) => {
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

test('a schedule runs once for each time, however many processes, and once after a time without any', async (t) => {
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

test('a schedule that fails to the end has its next time all the same', async (t) => {
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

test('a plan that was made by a clock which was ahead is not kept', async () => {
  const job = newJob('test.ahead', undefined, { schedule: '0 * * * *' });
  now = new Date('2040-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  now = new Date('2035-01-01T00:10:00Z');
  await startSchedules(platform, [job]);
  const [row] = await rowsOf(job);
  assert.equal(row?.due_at, '2035-01-01T01:00:00.000Z');
});
