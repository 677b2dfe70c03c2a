/**
 * Background jobs and schedules, kept by pg-boss in the same database: a job that a transaction enqueues commits
 * or vanishes with it. Work that must reach the outside world belongs to the ledger instead.
 */
import { CompiledQuery } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { NIL } from 'uuid';
import type { Database } from '../db/database.ts';
import { JOB_SCHEMA } from '../db/migrator.ts';
import type { Observer } from '../observe/observer.ts';
import type { Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** A kind of background work. Its payload carries ids, not copies of rows. */
export interface JobDefinition<S extends TSchema = TSchema> {
  /** `area.verb-noun`, unique. */
  readonly name: string;
  readonly payload: S;
  readonly timeoutSeconds: number;
  /** A cron expression in UTC; each tick runs once across all processes, with an empty payload. */
  readonly schedule?: string;
  readonly run: (platform: Platform, payload: Static<S>) => Promise<void>;
}

/** Any job, its payload checked before it runs. */
export interface Job {
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly schedule?: string;
  /** Throws when the payload does not match the job's schema. */
  readonly runChecked: (platform: Platform, payload: unknown) => Promise<void>;
}

/** Declares a job for a feature's manifest. */
export function defineJob<S extends TSchema>(definition: JobDefinition<S>): Job {
  const validator = Compile(definition.payload);
  const { name, timeoutSeconds, schedule, run } = definition;
  return {
    name,
    timeoutSeconds,
    ...(schedule === undefined ? {} : { schedule }),
    runChecked: async (platform, payload) => run(platform, validator.Parse(payload)),
  };
}

/** The queue of one process. */
export interface Jobs {
  /** Makes every job's queue known; enqueueing needs nothing more. */
  open(jobs: readonly Job[]): Promise<void>;
  /** Starts running jobs and schedules in this process. */
  work(platform: Platform, jobs: readonly Job[]): Promise<void>;
  /** Enqueues inside the caller's transaction. */
  enqueue(tx: ScopedDb, job: Job, payload: object): Promise<void>;
  /** Lets running jobs finish, at most `timeoutMs`; later calls wait for the first. */
  close(timeoutMs: number): Promise<void>;
}

const RETRIES = 5;
const POLL_SECONDS = 2;

/** Opens the queue over the process's database. */
export function createJobs(database: Database, observe: Observer, runsWork: boolean): Jobs {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    schema: JOB_SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: runsWork,
    schedule: runsWork,
  });
  boss.on('error', (error) => observe({ event: 'background.failed', task: 'job queue', error }));
  let closing: Promise<void> | null = null;
  return {
    async open(jobs) {
      await boss.start();
      for (const job of jobs) {
        const settings = { retryLimit: RETRIES, retryBackoff: true, expireInSeconds: job.timeoutSeconds };
        await boss.createQueue(job.name, settings);
        // A queue that an earlier version made keeps its settings otherwise.
        await boss.updateQueue(job.name, settings);
        // Any look at a queue makes pg-boss remember it. Else it would look it up on the first enqueue, past the
        // caller's transaction, which may hold the only connection.
        await boss.getJobById(job.name, NIL);
      }
    },
    async work(platform, jobs) {
      for (const job of jobs) {
        await boss.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, async (batch) => {
          for (const { data } of batch) await runObserved(platform, job, data);
        });
        if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule, {}, { tz: 'UTC' });
      }
    },
    async enqueue(tx, job, payload) {
      const executeSql = (text: string, values: unknown[] = []) =>
        tx.query.executeQuery(CompiledQuery.raw(text, values));
      await boss.send(job.name, payload, { db: { executeSql } });
    },
    close(timeoutMs) {
      closing ??= boss.stop({ graceful: true, timeout: timeoutMs });
      return closing;
    },
  };
}

async function runObserved(platform: Platform, job: Job, payload: unknown): Promise<void> {
  const startedAt = performance.now();
  try {
    await job.runChecked(platform, payload);
    platform.observe({
      event: 'job.finished',
      job: job.name,
      seconds: (performance.now() - startedAt) / 1000,
    });
  } catch (error) {
    platform.observe({ event: 'job.failed', job: job.name, error });
    throw error;
  }
}
