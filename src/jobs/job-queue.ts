/** The work queue that runs jobs. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import { isTenantUnavailable } from '../db/tenant-unavailable.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { brokenOutcome, brokenWaitSeconds } from '../work-queue/broken-attempts.ts';
import type { Claim } from '../work-queue/claim.ts';
import { defineWorkQueue } from '../work-queue/define-work-queue.ts';
import { FairQueue } from '../work-queue/fair-queue.ts';
import type { Ack, Outcome, WorkQueue } from '../work-queue/work-queue.ts';
import { acknowledgeRows } from '../work-queue/work-queue-queries.ts';
import { isSchedule, JOBS, type JobRow, kindId, PLATFORM_TENANT_ID } from './job-rows.ts';
import type { Job } from './jobs.ts';

/** Concurrent jobs of one process. */
const CONCURRENCY = 4;
/** Interval of polls for schedules and for jobs of other processes, in ms. */
const POLL_MS = 2000;
/** Longest wait for a slot, in ms. */
const MAX_WAIT_MS = 30_000;

/** Result of a schedule's run: its next time. */
interface NextTime {
  readonly planned_at: Date;
}

const queue = oncePerPlatform(() => new FairQueue({ total: CONCURRENCY, perTarget: CONCURRENCY }));

/** Returns the work queue that runs these jobs. Finished jobs are deleted; failed ones stay for inspection. */
export function jobQueue(jobs: readonly Job[]): WorkQueue {
  const jobsByKind = new Map(jobs.map((job) => [kindId(job.name), job]));
  return defineWorkQueue<Pick<JobRow, 'name' | 'payload'>, NextTime, Pick<JobRow, 'name' | 'payload'>>({
    ...JOBS,
    extraTenantIds: [PLATFORM_TENANT_ID],
    columns: ['name', 'payload'],
    concurrency: CONCURRENCY,
    concurrencyPerTarget: 1,
    concurrencyPerTenant: CONCURRENCY,
    pollEveryMs: POLL_MS,
    // The gate limits claims to the slots: a job claimed without a slot would wait, although another process may be
    // free.
    gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
    dueTimes: {
      notBefore: sql`l.planned_at`,
      longestWaitSeconds: (_platform, attempts) => brokenWaitSeconds(attempts),
    },
    load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
    attempt: async (platform, claim, { name, payload }) => {
      const job = jobsByKind.get(claim.targetId);
      // This is retried, because a process of a newer version may know the job.
      if (job === undefined) throw new Error(`Unknown job: ${name}.`);
      return runObserved(platform, claim, job, payload);
    },
    acknowledge: (all, acks) =>
      acknowledgeRows(
        all,
        JOBS.table,
        acks.map((ack) => withNextTime(ack, jobsByKind)),
      ),
  });
}

/**
 * Inserts the rows of schedules, before the work queue starts or, if their node is unavailable, when it is back. An
 * existing row keeps its time; if that passed while no process ran, the job runs once. A time later than the next one
 * is replaced, because the expression or the clock has changed.
 */
export async function startSchedules(platform: Platform, jobs: readonly Job[]): Promise<void> {
  try {
    await insertSchedules(platform, jobs);
  } catch (error) {
    if (!isTenantUnavailable(error)) throw error;
    void insertSchedulesLater(platform, jobs, error);
  }
}

/** Never rejects; no caller awaits it. */
async function insertSchedulesLater(platform: Platform, jobs: readonly Job[], cause: unknown): Promise<void> {
  for (let error = cause; error !== null && !platform.drain.started; ) {
    platform.observe({ event: 'background.failed', task: 'insert the schedules', error });
    await pause(POLL_MS, undefined, { ref: false });
    error = await insertSchedules(platform, jobs).then(
      () => null,
      (next: unknown) => next,
    );
  }
}

async function insertSchedules({ database, clock }: Platform, jobs: readonly Job[]): Promise<void> {
  const rows = jobs.flatMap(({ name, nextTime }) => (nextTime ? [scheduleRow(name, nextTime(clock()))] : []));
  if (rows.length === 0) return;
  await database
    .everyTenant('jobs')
    .query.insertInto('jobs')
    // Insert values, not a select: a cluster needs a literal tenant id to find the node of platform rows.
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet(({ ref }) => ({
          state: 'pending',
          due_at: ref('excluded.due_at'),
          claim_id: null,
          attempts: 0,
          faults: 0,
          planned_at: ref('excluded.planned_at'),
        }))
        .where(({ eb, or, ref }) =>
          or([eb('jobs.state', '<>', 'pending'), eb('jobs.planned_at', '>', ref('excluded.planned_at'))]),
        ),
    )
    .execute();
}

function scheduleRow(name: string, at: Date): Insertable<JobRow> {
  const id = kindId(name);
  return {
    tenant_id: PLATFORM_TENANT_ID,
    id,
    target_id: id,
    state: 'pending',
    due_at: at,
    attempts: 0,
    last_error: null,
    name,
    payload: '{}',
    planned_at: at,
  };
}

/** Returns an acknowledgement that moves a schedule to its next time, after success and failure alike. */
function withNextTime(ack: Ack<NextTime>, jobsByKind: ReadonlyMap<string, Job>): Ack<NextTime> {
  const { claim, outcome, at } = ack;
  const nextTime = isSchedule(claim) ? jobsByKind.get(claim.targetId)?.nextTime : undefined;
  if (nextTime === undefined || outcome.kind === 'retry') return ack;
  const dueAt = nextTime(at);
  const error = 'error' in outcome && outcome.error !== undefined ? { error: outcome.error } : {};
  return { claim, at, outcome: { kind: 'restart', dueAt, ...error, result: { planned_at: dueAt } } };
}

async function runObserved(
  platform: Platform,
  claim: Claim,
  job: Job,
  payload: unknown,
): Promise<Outcome<NextTime>> {
  const startedAt = performance.now();
  try {
    await withTimeout(job, job.runChecked(platform, payload));
  } catch (error) {
    platform.observe({ event: 'job.failed', job: job.name, error });
    return brokenOutcome(platform, claim, error);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  platform.observe({ event: 'job.finished', job: job.name, seconds });
  return { kind: 'drop' };
}

async function withTimeout({ timeoutSeconds }: Job, run: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const late = pause(timeoutSeconds * 1000, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`The job took longer than ${timeoutSeconds} seconds.`);
  });
  await Promise.race([run, late]).finally(() => ended.abort());
}
