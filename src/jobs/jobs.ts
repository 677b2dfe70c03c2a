/**
 * Background jobs and schedules. They are rows of a work queue, so a job commits or rolls back with the transaction
 * that enqueues it. Work that must reach the outside world has a work queue of its own.
 */
import { Cron } from 'croner';
import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { v7 as uuidv7 } from 'uuid';
import type { Platform } from '../platform.ts';
import { JOBS, kindId } from './job-rows.ts';
import type { Jobs } from './process-jobs.ts';

/** A kind of background work. Its payload carries ids, not copies of rows. */
export interface JobDefinition<S extends TSchema = TSchema> {
  /** `area.verb-noun`, unique. */
  readonly name: string;
  readonly payload: S;
  /** Time limit of an attempt. The job is not interrupted, so it must be safe to run twice. */
  readonly timeoutSeconds: number;
  /** A cron expression in UTC; each tick runs once across all processes, with an empty payload. */
  readonly schedule?: string;
  readonly run: (platform: Platform, payload: Static<S>) => Promise<void>;
}

/** A declared job, which validates its payload before it runs. */
export interface Job {
  readonly name: string;
  readonly timeoutSeconds: number;
  /** Returns the next scheduled time after a moment; absent: the job has no schedule. */
  readonly nextTime?: (after: Date) => Date;
  /** Validates the payload and runs the job. @throws if the payload does not match the job's schema. */
  readonly runChecked: (platform: Platform, payload: unknown) => Promise<void>;
}

/** Declares a job for a feature's manifest. @throws if its schedule is not a valid cron expression or never occurs. */
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
    if (next === null) throw new Error(`The schedule of ${name} never occurs.`);
    return next;
  };
  nextTime(new Date());
  return nextTime;
}

/** Creates the job queue of a process. */
export function createJobs({ clock, workQueues }: Pick<Platform, 'clock' | 'workQueues'>): Jobs {
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
      tx.afterCommit(() => workQueues.wake(JOBS));
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
