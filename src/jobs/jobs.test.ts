import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import Type from 'typebox';
import { startTestApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { defineJob, type Job } from './jobs.ts';

// A process that only serves HTTP: what it enqueues waits.
const { app, createTenant } = await startTestApp({ ROLE: 'api' });
const { platform } = app;
const { tenantId } = await createTenant();
const db = platform.scoped(wholeTenant(tenantId));

async function openJob(name: string): Promise<Job> {
  const job = defineJob({
    name,
    payload: Type.Object({ id: Type.String() }),
    timeoutSeconds: 60,
    run: async () => {},
  });
  await platform.jobs.open([job]);
  return job;
}

async function waiting({ name }: Job): Promise<unknown[]> {
  const { rows } = await sql<{ data: unknown }>`select data from pgboss.job where name = ${name}`.execute(
    platform.database.everyTenant('tests').query,
  );
  return rows.map((row) => row.data);
}

test('the first enqueue of a process needs no connection beside the transaction', {
  timeout: 60_000,
}, async () => {
  const job = await openJob('test.first-enqueue');
  await db.transaction((tx) => platform.jobs.enqueue(tx, job, { id: 'a' }));
  assert.deepEqual(await waiting(job), [{ id: 'a' }]);
});

test('a job vanishes with the transaction that enqueued it', async () => {
  const job = await openJob('test.rolled-back');
  const undone = db.transaction(async (tx) => {
    await platform.jobs.enqueue(tx, job, { id: 'a' });
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await waiting(job), []);
});

test('a payload of another shape does not reach the job', async () => {
  const job = await openJob('test.payload');
  await assert.rejects(job.runChecked(platform, { id: 1 }));
});
