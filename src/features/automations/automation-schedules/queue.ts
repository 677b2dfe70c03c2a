/**
 * The work queue of schedules. One transaction requests the run of a tick and advances the schedule. So two processes
 * cannot both run a tick, and a killed process leaves nothing half done. A run stores its tick as source key: if the
 * clock is set back, the same tick creates no second run.
 */

import { lastTick, nextTick, type Schedule } from '../../../flows/ticks.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import type { Ack, Outcome } from '../../../work-queue/work-queue.ts';
import { acknowledgeRows } from '../../../work-queue/work-queue-queries.ts';
import { findActiveAutomation, requestRuns } from '../automations/index.ts';
import { advanceSchedule, type ScheduleRow } from './queries.ts';

const TABLE = 'automation_schedules';
/** Maximum time between checks of a schedule, in ms: setting the clock changes its next tick. */
const CHECK_INTERVAL_MS = 60 * 60 * 1000;
const CONCURRENCY = 8;

type StoredSchedule = Pick<ScheduleRow, 'expression' | 'timezone'> & { readonly planned_at: string };
/** A schedule that is due. */
interface DueSchedule extends Schedule {
  readonly tenantId: string;
  readonly automationId: string;
  readonly plannedAt: Date;
}

/** Triggers automations at their scheduled times. */
export const scheduleQueue = defineWorkQueue<StoredSchedule, undefined, StoredSchedule>({
  name: 'automation-schedules',
  table: TABLE,
  columns: ['expression', 'timezone', 'planned_at'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY,
  concurrencyPerTenant: CONCURRENCY,
  dueTimes: { longestWaitSeconds: () => CHECK_INTERVAL_MS / 1000 },
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: (platform, { tenantId, id: automationId }, { planned_at, ...schedule }) =>
    requestDueRun(platform, { tenantId, automationId, ...schedule, plannedAt: new Date(planned_at) }),
  acknowledge: (all, acks) => acknowledgeRows(all, TABLE, acks.map(restartIfFailed)),
});

/** Requests a run if a tick has passed (one run for all missed ticks) and returns the time of the next check. */
async function requestDueRun(platform: Platform, schedule: DueSchedule): Promise<Outcome> {
  const { tenantId, automationId, plannedAt } = schedule;
  const now = platform.clock();
  const next = nextTick(schedule, now);
  if (next === null) return { kind: 'drop' };
  await platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    const isChanged = plannedAt.getTime() !== next.getTime();
    if (!isChanged || !(await advanceSchedule(tx, automationId, { from: plannedAt, to: next }))) return;
    const automation = await findActiveAutomation(tx, { id: automationId });
    // If the clock was set back, no tick has passed and the next one is earlier than planned.
    const tick = plannedAt <= now ? lastTick(schedule, now) : null;
    if (automation === undefined || tick === null) return;
    const scheduledAt = tick.toISOString();
    await requestRuns(tx, { platform, now }, [
      {
        automationId,
        version: automation.version,
        triggerType: 'cronJob',
        trigger: JSON.stringify({ scheduled_at: scheduledAt }),
        sourceKey: `tick ${scheduledAt}`,
      },
    ]);
  });
  return { kind: 'restart', dueAt: new Date(Math.min(next.getTime(), now.getTime() + CHECK_INTERVAL_MS)) };
}

/** Reschedules a schedule whose attempts all failed. A schedule is deleted only with its automation. */
function restartIfFailed({ claim, outcome, at }: Ack): Ack {
  if (outcome.kind !== 'failed') return { claim, outcome, at };
  const dueAt = new Date(at.getTime() + CHECK_INTERVAL_MS);
  return { claim, at, outcome: { kind: 'restart', error: outcome.error, dueAt } };
}
