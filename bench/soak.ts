import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { startBenchReceiver } from './harness/receiver.ts';
import { createSampleTenants, submissionBody } from './harness/sample-tenant.ts';

const SECONDS = 600;
const REPORTS = 20;
const SUBMISSIONS_PER_SECOND = 40;
const READS_PER_SECOND = 80;
const TICK_MS = 50;
/** The share of the time in which caches and heaps may still grow to their size. */
const WARM_UP_SHARE = 0.3;
/** Growth after the warm-up that still counts as flat, MiB per minute. */
const FLAT_MIB_PER_MINUTE = 1;

interface Sample {
  readonly minutes: number;
  readonly mebibytes: number;
}

/** Steady submissions with a webhook, and reads, for ten minutes: the process's memory must not grow. */
export const soak: Bench = async (kind, options, onEnd) => {
  const seconds = options.seconds ?? SECONDS;
  const receiver = await startBenchReceiver();
  onEnd(receiver.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1, webhookUrl: receiver.url }]);
  if (!tenant) throw new Error('No tenant was made.');
  const [formCode = ''] = tenant.formCodes;
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const load = startLoad(tessera.url, tenant.apiKey, formCode);
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

/** Sends at a fixed pace, whatever the answers take. @throws from `stop` the first failure. */
function startLoad(url: string, apiKey: string, formCode: string) {
  const pool = new Pool(url, { connections: 32 });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const sent = { submissions: 0, reads: 0 };
  const underWay = new Set<Promise<void>>();
  let failure: unknown = null;
  const call = (method: 'GET' | 'POST', path: string, body?: string): void => {
    const answered = pool
      .request({ method, path, headers, body: body ?? null })
      .then(async (answer) => {
        if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
        await answer.body.dump();
      })
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  };
  const body = submissionBody(formCode);
  const begun = performance.now();
  const timer = setInterval(() => {
    const elapsedSeconds = (performance.now() - begun) / 1000;
    for (; sent.submissions < elapsedSeconds * SUBMISSIONS_PER_SECOND; sent.submissions += 1)
      call('POST', '/api/form_submissions', body);
    for (; sent.reads < elapsedSeconds * READS_PER_SECOND; sent.reads += 1)
      call('GET', `/api/forms/${formCode}`);
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      await pool.close();
      if (failure !== null) throw failure;
      return sent;
    },
  };
}

/**
 * How much the second half's peak is above the first half's, MiB per minute. Resident memory is a saw: it climbs until
 * the collector runs, and a line through its teeth tells where they stand, not whether they grow.
 */
function growthOfPeaks(samples: readonly Sample[]): number {
  const middle = Math.floor(samples.length / 2);
  const peak = (half: readonly Sample[]) => Math.max(...half.map(({ mebibytes }) => mebibytes));
  const minutes = (samples.at(-1)?.minutes ?? 0) - (samples[middle - 1]?.minutes ?? 0);
  return (peak(samples.slice(middle)) - peak(samples.slice(0, middle))) / minutes;
}
