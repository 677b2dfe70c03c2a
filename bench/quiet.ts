import { setTimeout as pause } from 'node:timers/promises';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createSampleTenants } from './harness/sample-tenant.ts';
import { startSteadyLoad } from './harness/steady-load.ts';

/** Long enough for nearly every hourly job to run once. */
const SECONDS = 55 * 60;
const LOAD_MS = 10_000;
/** Time until the effects of the start and the load have faded, in ms. */
const SETTLE_MS = 60_000;
const REPORTS = 22;
/** Maximum memory of an idle process in MiB. */
const AIM_MIB = 400;
/** Maximum memory growth by garbage collection and hourly jobs while the process is idle, in MiB. */
const FLAT_MIB = 25;

/** Memory of a process that is idle after ten seconds of traffic: it must stay small and must not grow. */
export const quiet: Bench = async (kind, options, onEnd) => {
  const seconds = options.seconds ?? SECONDS;
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const load = startSteadyLoad(tessera.url, tenant.apiKey, tenant.formCodes[0] ?? '');
  await pause(LOAD_MS);
  await load.stop();
  await pause(SETTLE_MS);
  const first = await tessera.residentMebibytes();
  console.log(`quiet (${kind}): ${first.toFixed(0)} MiB a minute after the load`);
  let peak = first;
  for (let step = 1; step <= REPORTS; step += 1) {
    await pause((seconds / REPORTS) * 1000);
    const mebibytes = await tessera.residentMebibytes();
    peak = Math.max(peak, mebibytes);
    console.log(
      `quiet (${kind}): ${((step * seconds) / REPORTS / 60).toFixed(1)} min, ${mebibytes.toFixed(0)} MiB`,
    );
  }
  const isSmall = peak <= AIM_MIB && peak - first <= FLAT_MIB;
  console.log(
    `quiet (${kind}): at peak ${peak.toFixed(0)} MiB (aim ${AIM_MIB}), ${(peak - first).toFixed(0)} more than after the first minute ` +
      `(aim at peak ${FLAT_MIB})${isSmall ? '' : ', MISSED'}`,
  );
  return isSmall;
};
