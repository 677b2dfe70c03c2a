import assert from 'node:assert/strict';
import test from 'node:test';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess, type TestProcess } from '../harness/process.ts';
import { submitMany } from '../harness/submission-load.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

/** Returns the number of deliveries of a process, from its metrics. */
async function countDelivered({ url }: TestProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const line =
    /^tessera_work_queue_acknowledged_total\{queue="webhook-deliveries",outcome="success"\} (\d+)$/m;
  return Number(line.exec(metrics)?.[1] ?? 0);
}

test('two workers share the deliveries of an API process, each made once', { skip }, async () => {
  const site = await startFaultSite({ ROLE: 'api' });
  const workerEnv = { ...site.env, ROLE: 'worker' };
  const workers = await Promise.all([startProcess(workerEnv), startProcess(workerEnv)]);
  const { accepted } = await submitMany(site.at(site.process), site.formCode, {
    count: 300,
    concurrency: 10,
  });
  assert.equal(accepted.size, 300);
  await eventually('all deliveries', () => undelivered(accepted, site.receiver).length === 0, 30_000);
  await eventually('the workers to have noted them', async () => {
    const counts = await Promise.all(workers.map(countDelivered));
    return counts.reduce((sum, count) => sum + count, 0) === 300;
  });
  const deliveryIds = site.receiver.received.map(({ headers }) => headers['tessera-delivery-id']);
  assert.equal(deliveryIds.length, 300);
  assert.equal(new Set(deliveryIds).size, 300);
  assert.equal(await countDelivered(site.process), 0);
});
