/**
 * Background jobs and schedules: rows of a ledger, so that a job which a transaction enqueues commits or vanishes with
 * it. Work that must reach the outside world has a ledger of its own instead.
 */
import { Cron } from 'croner';
import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { v7 as uuidv7 } from 'uuid';
import type { Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { JOBS, kindId } from './job-rows.ts';

/** A kind of background work. Its payload carries ids, not copies of rows. */
export interface JobDefinition<S extends TSchema = TSchema> {
  /** `area.verb-noun`, unique. */
  readonly name: string;
  readonly payload: S;
  /** After this an attempt counts as broken. What it does goes on, so it bears to be done twice. */
  readonly timeoutSeconds: number;
  /** A cron expression in UTC; each tick runs once across all processes, with an empty payload. */
  readonly schedule?: string;
  readonly run: (platform: Platform, payload: Static<S>) => Promise<void>;
}

/** Any job, its payload checked before it runs. */
export interface Job {
  readonly name: string;
  readonly timeoutSeconds: number;
  /** The first of its times after a moment; absent: it has no schedule. */
  readonly nextTime?: (after: Date) => Date;
  /** Throws when the payload does not match the job's schema. */
  readonly runChecked: (platform: Platform, payload: unknown) => Promise<void>;
}

/** Declares a job for a feature's manifest. @throws when its schedule is no cron expression, or never comes. */
export function defineJob<S extends TSchema>(definition: JobDefinition<S>): Job {
  const validator = Compile(definition.payload);
  const { name, timeoutSeconds, schedule, run } = definition;
  return {
    name,
    timeoutSeconds,
    ...(schedule === undefined ? {} : { nextTime: readSchedule(name, schedule) }),
    runChecked: async (platform, payload) => run(platform, validator.Parse(payload)),
  };
}

function readSchedule(name: string, schedule: string): (after: Date) => Date {
  const cron = new Cron(schedule, { timezone: 'UTC' });
  const nextTime = (after: Date) => {
    const next = cron.nextRun(after);
    if (next === null) throw new Error(`The schedule of ${name} never comes.`);
    return next;
  };
  nextTime(new Date());
  return nextTime;
}

/** The queue of one process. */
export interface Jobs {
  /** Enqueues inside the caller's transaction; it runs at once, or when its time has come. */
  enqueue(tx: ScopedDb, job: Job, payload: object, at?: Date): Promise<void>;
  /** Whether a job with this payload waits or runs, rather than was done or given up. */
  isPending(db: ScopedDb, job: Job, payload: object): Promise<boolean>;
}

/** The queue of a process with these ledgers. */
export function createJobs({ clock, ledgers }: Pick<Platform, 'clock' | 'ledgers'>): Jobs {
  return {
    async enqueue(tx, { name }, payload, at = clock()) {
      await tx.query
        .insertInto('jobs')
        .values({
          tenant_id: tx.tenantId,
          id: uuidv7(),
          target_id: kindId(name),
          state: 'pending',
          due_at: at,
          attempts: 0,
          last_error: null,
          name,
          payload: JSON.stringify(payload),
          planned_at: at,
        })
        .execute();
      tx.afterCommit(() => ledgers.wake(JOBS));
    },
    async isPending(db, { name }, payload) {
      const found = await db.query
        .selectFrom('jobs')
        .select('id')
        .where('target_id', '=', kindId(name))
        .where('state', '=', 'pending')
        .where(sql<string>`payload::text`, '=', JSON.stringify(payload))
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}
