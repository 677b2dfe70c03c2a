import type {
  AutomationTrigger,
  TriggerChange,
  TriggerContext,
  TriggerOwner,
} from '../../../flows/automation-trigger.ts';
import { nextTick, type Schedule } from '../../../flows/ticks.ts';
import { deleteSchedule, putSchedule } from './queries.ts';

/** Automations triggered by a schedule. */
export const scheduleTrigger: AutomationTrigger = { type: 'cronJob', onChange: updateSchedule };

/** An unchanged schedule keeps its next tick, which may be a missed one. */
async function updateSchedule({ db, now }: TriggerContext, { before, after }: TriggerChange): Promise<void> {
  const [previous, current] = [before, after].map(scheduleOf);
  if (previous?.expression === current?.expression && previous?.timezone === current?.timezone) return;
  const next = current ? nextTick(current, now) : null;
  if (after && current && next) await putSchedule(db, after.id, current, next);
  else if (before) await deleteSchedule(db, before.id);
}

/** Returns the schedule of an active automation, otherwise null. */
function scheduleOf(owner: TriggerOwner | null): Schedule | null {
  if (!owner?.active) return null;
  const { cronExpression, timezone = 'UTC' } = owner.triggerParams;
  return { expression: String(cronExpression), timezone: String(timezone) };
}
