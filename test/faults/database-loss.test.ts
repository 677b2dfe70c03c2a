import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cutConnections } from '../harness/connection-cuts.ts';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { listSubmissionIds, submitMany } from '../harness/submission-load.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const run = promisify(execFile);
const CUTS = 5;
const CUT_EVERY_MS = 200;
/** Deliveries that were interrupted by the database loss are retried when their lease ends. */
const RECOVERY_BOUND_MS = 60_000;

/** Restarts the cluster that listens on the port of TEST_DATABASE_URL. */
async function restartServer(databaseUrl: string): Promise<void> {
  const port = new URL(databaseUrl).port || '5432';
  const { stdout } = await run('pg_lsclusters', ['--no-header']);
  const [version, name] =
    stdout
      .split('\n')
      .map((line) => line.split(/\s+/))
      .find(([, , own]) => own === port) ?? [];
  assert.ok(version && name, `a cluster listens on port ${port}`);
  await run('pg_ctlcluster', [version, name, 'restart', '--mode', 'fast', '--force']);
}

/**
 * Submits while `disturb` runs, then checks that everything acknowledged is stored and that the process works again.
 */
async function surviveLoss(disturb: (databaseUrl: string) => Promise<void>): Promise<void> {
  const site = await startFaultSite();
  const api = site.at(site.process);
  let isDisturbed = false;
  const load = async () => {
    const results = [];
    while (!isDisturbed) results.push(await submitMany(api, site.formCode, { count: 100, concurrency: 10 }));
    return results;
  };
  const disturbance = async () => {
    try {
      await eventually('the first deliveries', () => site.receiver.received.length > 0, 30_000);
      await disturb(site.env.DATABASE_URL ?? '');
    } finally {
      isDisturbed = true;
    }
  };
  const [results] = await Promise.all([load(), disturbance()]);
  const refused = results.flatMap((result) => result.refused);
  assert.equal(
    results.reduce((sum, { failed }) => sum + failed, 0),
    0,
    'every request was answered',
  );
  assert.ok(refused.length > 0, 'the loss was felt');
  for (const { status, body } of refused) {
    assert.equal(status, 503);
    assert.deepEqual(Object.keys(body).sort(), ['code', 'message', 'request_id']);
  }
  await eventually('the process to be ready', async () => (await fetch(`${site.process.url}/readyz`)).ok);
  const stored = await listSubmissionIds(api, site.formCode);
  const accepted = results.flatMap((result) => [...result.accepted]);
  assert.deepEqual(
    accepted.filter((id) => !stored.has(id)),
    [],
  );
  const after = await submitMany(api, site.formCode, { count: 20, concurrency: 5 });
  assert.equal(after.accepted.size, 20);
  const expected = [...stored, ...after.accepted];
  await eventually(
    'all deliveries',
    () => undelivered(expected, site.receiver).length === 0,
    RECOVERY_BOUND_MS,
  );
}

test(
  'cut database connections lose nothing that was acknowledged',
  {
    skip: databaseKind() === 'embedded' && 'a database that goes away needs TEST_DATABASE_URL',
  },
  () =>
    surviveLoss(async (databaseUrl) => {
      for (let cut = 0; cut < CUTS; cut++) {
        await cutConnections(databaseUrl);
        await pause(CUT_EVERY_MS);
      }
    }),
);

test(
  'a restarted database server loses nothing that was acknowledged',
  {
    skip:
      (databaseKind() !== 'server' ||
        process.env.TEST_RESTART_DATABASE !== '1' ||
        process.getuid?.() !== 0) &&
      'restarts the server of TEST_DATABASE_URL only as root with TEST_RESTART_DATABASE=1',
  },
  () => surviveLoss(restartServer),
);
