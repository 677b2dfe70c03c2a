import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import type { Measured } from './harness/load.ts';
import { aimOn, type Bench, type BenchOptions } from './harness/options.ts';
import { type BenchReceiver, startBenchReceiver } from './harness/receiver.ts';
import { createSampleTenants, type SampleTenant, seedDeliveries } from './harness/sample-tenant.ts';

const AIM = 0.4;
const DELIVERIES = 20_000;
/** Deliveries before the measurement: both processes are new in each round, and their code is not compiled yet. */
const WARM_UP = 5000;
/** Concurrent deliveries that the work queue allows to one webhook. */
const CONCURRENCY = 16;

/** Processing a backlog of one webhook, against undici in a loop. The receiver measures both. */
export const deliveries: Bench = async (kind, options, onEnd) => {
  const receiver = await startBenchReceiver();
  onEnd(receiver.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1, webhookUrl: receiver.url }]);
  if (!tenant) throw new Error('No tenant was created.');
  return compare({
    name: `deliveries (${kind})`,
    against: 'a bare undici loop to the same receiver',
    aim: aimOn(kind, AIM),
    limit: () => runLoop(receiver),
    tessera: () => workBacklog(database, tenant, receiver, options),
  });
};

async function runLoop(receiver: BenchReceiver): Promise<Measured> {
  await receiver.reset();
  const env = { TARGET: receiver.url, COUNT: String(DELIVERIES), CONCURRENCY: String(CONCURRENCY) };
  const loop = await startProgram('limits/delivery-loop.ts', env);
  const measured = await measuredRate(receiver);
  await loop.stop();
  return measured;
}

async function workBacklog(
  database: BenchDatabase,
  tenant: SampleTenant,
  receiver: BenchReceiver,
  options: BenchOptions,
): Promise<Measured> {
  await database.asOwner(async (client) => {
    await client.query('truncate webhook_deliveries, record_history');
    await seedDeliveries(client, tenant, DELIVERIES);
  });
  await receiver.reset();
  const worker = await startTessera({ ...database.env, ROLE: 'worker' }, options);
  const measured = await measuredRate(receiver);
  await worker.stop();
  return measured;
}

async function measuredRate(receiver: BenchReceiver): Promise<Measured> {
  const arrivals = await receiver.waitFor(DELIVERIES);
  const [begun = 0] = arrivals.slice(WARM_UP);
  const ended = arrivals[DELIVERIES - 1] ?? 0;
  const count = DELIVERIES - 1 - WARM_UP;
  return { count, rate: count / ((ended - begun) / 1000), cpuMicros: null };
}
