import type { AutomationTrigger, TriggerChange, TriggerContext } from '../../flows/automation-trigger.ts';
import { nextTick } from '../../flows/ticks.ts';
import { deleteSchedule, putSchedule } from './queries.ts';

/** Automations that a time sets off. */
export const scheduleTrigger: AutomationTrigger = { type: 'cronJob', changed };

/** A schedule that stays as it was keeps its next tick, which may be one that was missed. */
async function changed({ db, now }: TriggerContext, { before, after }: TriggerChange): Promise<void> {
  const [then, at] = [before, after].map((owner) =>
    owner?.active ? String(owner.triggerParams.cronExpression) : null,
  );
  if (then === at) return;
  const next = typeof at === 'string' ? nextTick(at, now) : null;
  if (after && typeof at === 'string' && next) await putSchedule(db, after.id, at, next);
  else if (before) await deleteSchedule(db, before.id);
}
