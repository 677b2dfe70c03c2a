import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { sql } from 'kysely';
import { MAX } from 'uuid';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import type { Claim, LedgerRow, Settlement } from '../ledger/ledger.ts';
import { toRow } from '../ledger/ledger-queries.ts';

/** Stands for the tenant of the platform's own jobs. Not the nil uuid: ledgers begin their rounds after that one. */
const PLATFORM = MAX;

/** A job that waits, a schedule, or a job that was given up. */
export interface JobRow extends LedgerRow {
  name: string;
  payload: unknown;
  planned_at: Time;
}

declare module '../db/tables.ts' {
  interface Tables {
    jobs: JobRow;
  }
}

/** The ledger and its table. */
export const JOBS = { name: 'jobs', table: 'jobs' };

/** A kind of job that is run at certain times. */
export interface Schedule {
  readonly name: string;
  /** A cron expression in UTC. */
  readonly schedule: string;
}

/** Names a kind of job as a ledger's target; the row of a schedule has it for its id too. */
export function kindId(name: string): string {
  return createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Whether the row is a schedule's. */
export function isSchedule({ id, targetId }: Claim): boolean {
  return id === targetId;
}

/** The first time of a cron expression after `now`. @throws when it is none, or has no time to come. */
export function nextTime({ name, schedule }: Schedule, now: Date): Date {
  const next = new Cron(schedule, { timezone: 'UTC' }).nextRun(now);
  if (next === null) throw new Error(`The schedule of ${name} never comes.`);
  return next;
}

/**
 * Makes the rows of schedules. One that is there keeps its time, which may have passed while no process ran: it is
 * run once then. A time that is later than the next one is not kept: the expression or the clock was another.
 */
export async function planSchedules(
  all: EveryTenantDb,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  const names = schedules.map(({ name }) => name);
  const times = schedules.map((schedule) => nextTime(schedule, now));
  await all.raw(sql`
    insert into jobs (tenant_id, id, target_id, state, due_at, attempts, name, payload, planned_at)
    select ${PLATFORM}::uuid, s.id, s.id, 'pending', s.at, 0, s.name, '{}', s.at
    from unnest(${names.map(kindId)}::uuid[], ${names}::text[], ${times}::timestamptz[]) as s (id, name, at)
    on conflict (tenant_id, id) do update
      set state = 'pending', due_at = excluded.due_at, attempts = 0, planned_at = excluded.planned_at
      where jobs.state <> 'pending' or jobs.planned_at > excluded.planned_at`);
}

/** What the jobs of some claims are to do. */
export async function loadJobs(
  all: EveryTenantDb,
  claims: readonly Claim[],
): Promise<Pick<JobRow, 'id' | 'name' | 'payload'>[]> {
  const { rows } = await all.raw(sql<Pick<JobRow, 'id' | 'name' | 'payload'>>`
    select * from tessera_load_jobs(${claims.map(({ tenantId }) => tenantId)}, ${claims.map(({ id }) => id)})`);
  return rows;
}

/** Writes what became of jobs. A schedule that has ended, well or not, waits for its next time. */
export async function settleJobs(
  all: EveryTenantDb,
  settlements: readonly Settlement[],
  schedules: ReadonlyMap<string, Schedule>,
): Promise<void> {
  const rows = settlements.map((settlement) => {
    const { claim, outcome, at } = settlement;
    const row = { ...toRow(settlement), attempts: claim.attempts + 1 };
    const schedule = isSchedule(claim) ? schedules.get(claim.targetId) : undefined;
    if (schedule === undefined || outcome.kind === 'retry') return row;
    const next = nextTime(schedule, at);
    return { ...row, state: 'pending', due_at: next, planned_at: next, attempts: 0 };
  });
  await all.raw(sql`select tessera_settle_jobs(${JSON.stringify(rows)})`);
}
