import type { Time } from '../../../db/tables.ts';
import type { Schedule } from '../../../flows/ticks.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { QueueItem } from '../../../work-queue/work-queue.ts';

/** The schedule of an active automation. Its id is the automation's id. */
export interface ScheduleRow extends QueueItem {
  expression: string;
  timezone: string;
  planned_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    automation_schedules: ScheduleRow;
  }
}

/** Creates or replaces the schedule of an automation. */
export async function putSchedule(
  tx: ScopedDb,
  automationId: string,
  { expression, timezone }: Schedule,
  plannedAt: Date,
): Promise<void> {
  const plan = {
    state: 'pending',
    due_at: plannedAt,
    claim_id: null,
    attempts: 0,
    faults: 0,
    last_error: null,
    expression,
    timezone,
    planned_at: plannedAt,
  } as const;
  await tx.query
    .insertInto('automation_schedules')
    // All schedules of a tenant share one target, so a poll needs one index entry to see that none is due.
    .values({ tenant_id: tx.tenantId, id: automationId, target_id: tx.tenantId, ...plan })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(plan))
    .execute();
}

/** Deletes the schedule of an automation, if there is one. */
export async function deleteSchedule(tx: ScopedDb, automationId: string): Promise<void> {
  await tx.query.deleteFrom('automation_schedules').where('id', '=', automationId).execute();
}

/**
 * Moves a schedule from one planned tick to the next. Returns false if another process did so or the schedule has
 * changed.
 */
export async function advanceSchedule(
  tx: ScopedDb,
  automationId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('automation_schedules')
    .set({ planned_at: to })
    .where('id', '=', automationId)
    .where('planned_at', '=', from.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
