import { setTimeout as pause } from 'node:timers/promises';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { startBenchReceiver } from './harness/receiver.ts';
import { createSampleTenants } from './harness/sample-tenant.ts';
import { startSteadyLoad } from './harness/steady-load.ts';

const SECONDS = 600;
const REPORTS = 20;
/** Share of the time in which caches and heaps may still grow to their normal size. */
const WARM_UP_SHARE = 0.3;
/** Maximum memory growth after the warm-up, in MiB per minute. */
const FLAT_MIB_PER_MINUTE = 1;

interface Sample {
  readonly minutes: number;
  readonly mebibytes: number;
}

/** Ten minutes of reads, and of submissions with a webhook, at a fixed rate: the process's memory must not grow. */
export const soak: Bench = async (kind, options, onEnd) => {
  const seconds = options.seconds ?? SECONDS;
  const receiver = await startBenchReceiver();
  onEnd(receiver.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1, webhookUrl: receiver.url }]);
  if (!tenant) throw new Error('No tenant was created.');
  const [formCode = ''] = tenant.formCodes;
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const load = startSteadyLoad(tessera.url, tenant.apiKey, formCode);
  const samples: Sample[] = [];
  for (let step = 1; step <= REPORTS; step += 1) {
    await pause((seconds / REPORTS) * 1000);
    const sample = {
      minutes: (step * seconds) / REPORTS / 60,
      mebibytes: await tessera.residentMebibytes(),
    };
    samples.push(sample);
    console.log(`soak (${kind}): ${sample.minutes.toFixed(1)} min, ${sample.mebibytes.toFixed(0)} MiB`);
  }
  const sent = await load.stop();
  await receiver.waitFor(sent.submissions);
  const growth = growthOfPeaks(samples.slice(Math.ceil(REPORTS * WARM_UP_SHARE)));
  const isFlat = growth <= FLAT_MIB_PER_MINUTE;
  console.log(
    `soak (${kind}): ${growth.toFixed(2)} MiB per minute between the peaks of the two halves after the warm-up (aim at most ${FLAT_MIB_PER_MINUTE}` +
      `${isFlat ? '' : ', MISSED'}); ${sent.submissions} submissions, all delivered, and ${sent.reads} reads in ${seconds} s`,
  );
  return isFlat;
};

/**
 * Returns the growth from the first half's peak to the second half's, in MiB per minute. Resident memory is a sawtooth,
 * as it climbs until garbage is collected, so a regression line would not show growth.
 */
function growthOfPeaks(samples: readonly Sample[]): number {
  const middle = Math.floor(samples.length / 2);
  const peak = (half: readonly Sample[]) => Math.max(...half.map(({ mebibytes }) => mebibytes));
  const minutes = (samples.at(-1)?.minutes ?? 0) - (samples[middle - 1]?.minutes ?? 0);
  return (peak(samples.slice(middle)) - peak(samples.slice(0, middle))) / minutes;
}
