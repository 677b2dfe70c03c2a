/** Runs jobs: a ledger over their rows. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { brokenOutcome, brokenWaitSeconds } from '../ledger/broken-attempts.ts';
import { FairQueue } from '../ledger/fair-queue.ts';
import { type Claim, defineLedger, type Ledger, type Outcome } from '../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { isSchedule, JOBS, kindId, loadJobs, planSchedules, type Schedule, settleJobs } from './job-rows.ts';
import type { Job } from './jobs.ts';

/** Jobs under way at once in one process. */
const CONCURRENCY = 4;
/** How often a process looks for jobs that others enqueued, and for schedules, milliseconds. */
const POLL_MS = 2000;
/** What a lease is longer than any job may take, seconds. */
const LEASE_MARGIN_SECONDS = 60;

const queue = oncePerPlatform(() => new FairQueue({ inAll: CONCURRENCY, perTarget: CONCURRENCY }));

/** The ledger that runs these jobs. A job that was done is forgotten; one that was given up stays to be looked at. */
export function jobLedger(jobs: readonly Job[]): Ledger {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const schedules = new Map(schedulesOf(jobs).map((schedule) => [kindId(schedule.name), schedule]));
  const longestSeconds = Math.max(...jobs.map(({ timeoutSeconds }) => timeoutSeconds));
  return defineLedger<{ readonly name: string; readonly payload: unknown }>({
    ...JOBS,
    concurrency: CONCURRENCY,
    concurrencyPerTarget: 1,
    concurrencyPerTenant: CONCURRENCY,
    pollEveryMs: POLL_MS,
    // With it no more rows are claimed than can be run: one that waited would be run again only when its lease ends.
    gate: { queue, lane: 0, maxWaitMs: LEASE_MARGIN_SECONDS * 500 },
    dueTimes: {
      notBefore: sql`l.planned_at`,
      longestWaitSeconds: (_platform, attempts) => brokenWaitSeconds(attempts),
    },
    leaseSeconds: () => longestSeconds + LEASE_MARGIN_SECONDS,
    load: async ({ database }, claims) =>
      new Map((await loadJobs(database.everyTenant('jobs'), claims)).map((row) => [row.id, row])),
    attempt: async (platform, claim, { name, payload }) => {
      const job = byName.get(name);
      // A newer process may know it.
      if (job === undefined) throw new Error(`There is no job ${name}.`);
      return runObserved(platform, claim, job, payload);
    },
    settle: (all, settlements) => settleJobs(all, settlements, schedules),
  });
}

/** Makes the schedules of these jobs known: before the ledger starts. */
export function startSchedules({ database, clock }: Platform, jobs: readonly Job[]): Promise<void> {
  return planSchedules(database.everyTenant('jobs'), schedulesOf(jobs), clock());
}

function schedulesOf(jobs: readonly Job[]): Schedule[] {
  return jobs.flatMap(({ name, schedule }) => (schedule === undefined ? [] : [{ name, schedule }]));
}

async function runObserved(platform: Platform, claim: Claim, job: Job, payload: unknown): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    await withTimeout(job, job.runChecked(platform, payload));
  } catch (error) {
    platform.observe({ event: 'job.failed', job: job.name, error });
    return brokenOutcome(platform, claim, error);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  platform.observe({ event: 'job.finished', job: job.name, seconds });
  return isSchedule(claim) ? { kind: 'success' } : { kind: 'drop' };
}

async function withTimeout({ timeoutSeconds }: Job, run: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const late = pause(timeoutSeconds * 1000, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`It took longer than ${timeoutSeconds} seconds.`);
  });
  await Promise.race([run, late]).finally(() => ended.abort());
}
