/**
 * The work queue of schedules. A tick sets its automation off and the schedule goes on to the next one in one transaction, so that
 * no two processes do it, and a process that was killed leaves no doubt. A run names the tick that set it off, so that one
 * which comes again, as the clock was set back, sets off none.
 */
import { lastTick, nextTick, type Schedule } from '../../../flows/ticks.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { defineWorkQueue, type Outcome, type Settlement } from '../../../work-queue/work-queue.ts';
import { settleRows } from '../../../work-queue/work-queue-queries.ts';
import { findActiveAutomation, requestRuns } from '../automations/index.ts';
import { advanceSchedule, type ScheduleRow } from './queries.ts';

const TABLE = 'automation_schedules';
/** A schedule is looked at at least so often: its next tick is another once the clock is set. */
const LOOK_EVERY_MS = 60 * 60 * 1000;
const CONCURRENCY = 8;
/** Below a minute: a tick that a killed process was about to fire is the last one still. */
const LEASE_SECONDS = 20;

type KeptSchedule = Pick<ScheduleRow, 'expression' | 'timezone'> & { readonly planned_at: string };
/** A schedule that is due. */
interface DueSchedule extends Schedule {
  readonly tenantId: string;
  readonly automationId: string;
  readonly plannedAt: Date;
}

/** Sets automations off when their times come. */
export const scheduleQueue = defineWorkQueue<KeptSchedule, undefined, KeptSchedule>({
  name: 'automation-schedules',
  table: TABLE,
  columns: ['expression', 'timezone', 'planned_at'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY,
  concurrencyPerTenant: CONCURRENCY,
  dueTimes: { longestWaitSeconds: () => LOOK_EVERY_MS / 1000 },
  leaseSeconds: () => LEASE_SECONDS,
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  attempt: (platform, { tenantId, id: automationId }, { planned_at, ...schedule }) =>
    keepTime(platform, { tenantId, automationId, ...schedule, plannedAt: new Date(planned_at) }),
  settle: (all, settlements) => settleRows(all, TABLE, settlements.map(neverEnding)),
});

/** Sets the automation off if its tick has come, once for all ticks that were missed, and says when to look again. */
async function keepTime(platform: Platform, schedule: DueSchedule): Promise<Outcome> {
  const { tenantId, automationId, plannedAt } = schedule;
  const now = platform.clock();
  const next = nextTick(schedule, now);
  if (next === null) return { kind: 'drop' };
  await platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    const isChanged = plannedAt.getTime() !== next.getTime();
    if (!isChanged || !(await advanceSchedule(tx, automationId, { from: plannedAt, to: next }))) return;
    const automation = await findActiveAutomation(tx, { id: automationId });
    // The clock was set back: there was no tick, the next one is earlier than it was planned.
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
  return { kind: 'restart', dueAt: new Date(Math.min(next.getTime(), now.getTime() + LOOK_EVERY_MS)) };
}

/** A schedule that has had only faults is looked at again later: it ends with its automation alone. */
function neverEnding({ claim, outcome, at }: Settlement): Settlement {
  if (outcome.kind !== 'failed') return { claim, outcome, at };
  const dueAt = new Date(at.getTime() + LOOK_EVERY_MS);
  return { claim, at, outcome: { kind: 'restart', error: outcome.error, dueAt } };
}
