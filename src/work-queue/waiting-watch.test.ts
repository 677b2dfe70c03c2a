import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../test/harness/poll.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { databaseKind } from '../../test/harness/test-database.ts';
import { WaitingWatch } from './waiting-watch.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

test('workers of work queues with waiting rows are notified, due or not, and all workers if the poll fails', async () => {
  const { app } = await startOwnApp();
  const notified: string[] = [];
  const workQueue = (view: string) => ({
    view,
    hasExtraTenants: view === 'jobs',
    worker: { poll: () => notified.push(view) },
  });
  const watch = new WaitingWatch(app.platform, [
    workQueue('queue_outbox'),
    workQueue('jobs'),
    workQueue('email_messages_bulk'),
  ]);
  const running = watch.start();
  // Schedules always wait for their next time. On a busy database a poll may fail, and then all work queues are
  // notified.
  const justJobs = () => notified.length >= 3 && notified.slice(-3).every((view) => view === 'jobs');
  await eventually('three polls in a row that notify only the worker of jobs', justJobs);
  watch.stop();
  await running;
  notified.length = 0;
  const blind = new WaitingWatch(app.platform, [workQueue('queue_outbox'), workQueue('of_no_table')]);
  const looking = blind.start();
  await eventually('both to be notified', () => notified.length >= 2);
  blind.stop();
  await looking;
  assert.deepEqual(notified.slice(0, 2), ['queue_outbox', 'of_no_table']);
});

test('while one table is locked, every worker polls by itself', {
  skip:
    databaseKind() !== 'server' &&
    'embedded there is one connection, and on a cluster nobody holds a table so',
}, async () => {
  const { app } = await startOwnApp({ ROLE: 'api' });
  const notified = new Set<string>();
  const workQueue = (view: string) => ({
    view,
    hasExtraTenants: false,
    worker: { poll: () => notified.add(view) },
  });
  const watch = new WaitingWatch(app.platform, [workQueue('queue_outbox'), workQueue('email_messages_bulk')]);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = app.platform.database.everyTenant('tests').transaction(async (tx) => {
    await tx.raw(sql`lock table queue_outbox in access exclusive mode`);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const running = watch.start();
  await eventually('both to be notified', () => notified.size === 2).finally(() => released.resolve());
  watch.stop();
  await Promise.all([running, holding]);
});
