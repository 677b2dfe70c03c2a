import assert from 'node:assert/strict';
import test from 'node:test';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';
import { listSubmissionIds, submitMany } from '../harness/submission-load.ts';

/** Deliveries that were under way at the kill come back when their lease ends: the attempt's time and 10 s. */
const LEASE_BOUND_MS = 60_000;

test('a kill under load loses no acknowledged submission and no delivery of one', async () => {
  const site = await startFaultSite();
  const { accepted, broken } = await submitMany(site.at(site.process), site.formCode, {
    count: 1000,
    concurrency: 20,
    onAccepted: (count) => {
      if (count === 400) site.process.signal('SIGKILL');
    },
  });
  assert.equal((await site.process.ended).signal, 'SIGKILL');
  assert.ok(accepted.size >= 400 && accepted.size < 1000, `${accepted.size} were accepted before the kill`);
  assert.ok(broken > 0, 'submissions were under way at the kill');

  const next = await startProcess(site.env);
  const stored = await listSubmissionIds(site.at(next), site.formCode);
  const lost = [...accepted].filter((id) => !stored.has(id));
  assert.deepEqual(lost, []);
  await eventually(
    'every stored submission to be delivered',
    () => undelivered(stored, site.receiver).length === 0,
    LEASE_BOUND_MS,
  );
});
