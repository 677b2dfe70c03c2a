/** Queries that read, restart and cancel runs. */
import { sql } from 'kysely';
import { MAX_CHAIN } from '../../../flows/chain.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { RunFailure, Trigger } from './run-queries.ts';
import type { Entry } from './visitor.ts';

/** The trigger of a run and its completed actions. */
export interface RunDetails {
  /** Null if it is no longer stored. */
  readonly trigger: Trigger | null;
  readonly input_bytes: number;
  readonly is_input_kept: boolean;
  readonly chain: readonly string[];
  readonly actions: readonly Entry[];
  readonly failure: RunFailure | null;
}

/** Returns the size of a run's large columns in bytes, or null if the automation has no such run. */
export async function bytesOfRun(db: ScopedDb, automationId: string, id: string): Promise<number | null> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ bytes: number }>`
      select octet_length(trigger::text) + octet_length(actions::text) as bytes from automation_runs
      where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and target_id = ${automationId}::uuid`,
  );
  return rows[0]?.bytes ?? null;
}

/** Reads the trigger and actions of a run, which may be large. */
export function findRunDetails(db: ScopedDb, id: string): Promise<RunDetails | undefined> {
  return db.query
    .selectFrom('automation_runs')
    .select(['trigger', 'input_bytes', 'is_input_kept', 'chain', 'actions', 'failure'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Queues a failed run again with all attempts, after the waiting runs of the same record. Does not change the last run
 * of a chain at its limit, or a run without its input. @returns true if the run is queued; undefined if the automation
 * has no such run.
 */
export function restartFailed(
  db: ScopedDb,
  automationId: string,
  id: string,
  now: Date,
): Promise<boolean | undefined> {
  return changeRun(db, automationId, id, {
    when: sql`r.state = 'failed' and r.is_input_kept and json_array_length(r.chain) < ${MAX_CHAIN}::int`,
    // A restarted run keeps only its completed actions, without those of `on_failure`.
    set: sql`failure = null, actions = case when w.failure is null then w.actions else coalesce((
        select json_agg(e order by nth) from json_array_elements(w.actions) with ordinality as a (e, nth)
        where e ->> 'status' <> 'failed' and e -> 'on_failure' is null), '[]') end,
      state = 'pending', due_at = ${now}::timestamptz, attempts = 0, faults = 0, last_error = null,
      started_at = coalesce(w.started_at, ${now}::timestamptz), finished_at = null,
      place = 1 + coalesce((select max(o.place) from automation_runs o where o.tenant_id = ${db.tenantId}::uuid
        and o.target_id = w.target_id and o.record_id = w.record_id and o.state = 'pending'), 0)`,
    isDone: sql`false`,
  });
}

/**
 * Cancels a run that no worker has claimed, or that a worker returned without an attempt. @returns true if the run is
 * cancelled, also if it already was; undefined if the automation has no such run.
 */
export function cancelQueued(
  db: ScopedDb,
  automationId: string,
  id: string,
  now: Date,
): Promise<boolean | undefined> {
  return changeRun(db, automationId, id, {
    when: sql`r.state = 'pending' and r.started_at is null and r.claim_id is null
      and (r.due_at = r.created_at or r.due_at <= ${now}::timestamptz)`,
    set: sql`state = 'success', due_at = ${now}::timestamptz, is_skipped = true,
      last_error = 'The run was cancelled before it started.', finished_at = ${now}::timestamptz`,
    isDone: sql`r.is_skipped`,
  });
}

interface RunChange {
  /** Condition on the locked row `r`: true if it may be changed. */
  readonly when: ReturnType<typeof sql>;
  readonly set: ReturnType<typeof sql>;
  /** True if the row already has the new state. */
  readonly isDone: ReturnType<typeof sql>;
}

async function changeRun(
  db: ScopedDb,
  automationId: string,
  id: string,
  { when, set, isDone }: RunChange,
): Promise<boolean | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ is_changed: boolean }>`
      with run as materialized (
        select r.id, (${when}) as may_change, (${isDone}) as is_done from automation_runs r
        where r.tenant_id = ${tenantId}::uuid and r.id = ${id}::uuid and r.target_id = ${automationId}::uuid for update
      ), changed as (
        update automation_runs w set ${set} from run
        where w.tenant_id = ${tenantId}::uuid and w.id = run.id and run.may_change
      )
      select (may_change or is_done) as is_changed from run`,
  );
  return rows[0]?.is_changed;
}
