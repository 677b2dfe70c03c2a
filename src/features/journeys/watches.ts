/**
 * Events that journeys watch. An active journey watches its trigger. Each existing one watches if subscribers become
 * active or inactive, and the forms that its steps wait for.
 */
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { signalQueue } from '../contacts/api.ts';
import type { JourneyReplace } from './resource.ts';
import type { Step, Trigger } from './schema.ts';

/**
 * Replaces the trigger watches of a journey and adds those of its steps. Step watches of earlier versions stay for the
 * enrollments that still use these versions.
 */
export async function replaceWatches(
  tx: ScopedDb,
  id: string,
  { active, trigger, steps }: Pick<JourneyReplace, 'active' | 'trigger' | 'steps'>,
  now: Date,
): Promise<void> {
  await signalQueue.watchWhileActive(tx, id, active ? triggerWatches(trigger) : [], now);
  await signalQueue.watchAlways(tx, id, [{ kind: 'activity', key: '' }, ...steps.flatMap(formWatches)], now);
}

function triggerWatches(trigger: Trigger): signalQueue.Watch[] {
  switch (trigger.type) {
    case 'manual':
      return [];
    case 'form_submission':
      return [{ kind: 'form_submission', key: trigger.form_code }];
    case 'list_joined':
      return [{ kind: 'list_joined', key: trigger.list_id }];
    case 'audience_entered':
      return [{ kind: 'audience_entered', key: trigger.audience_id }];
    case 'subscribed':
      return [{ kind: 'subscribed', key: trigger.subscription_type_id }];
    case 'event':
      return [{ kind: trigger.event_type, key: trigger.marketing_email_id?.toLowerCase() ?? '' }];
  }
}

/** Watches for awaited forms. Other awaited events need no watch: they are in the `hears` column of enrollments. */
function formWatches(step: Step): signalQueue.Watch[] {
  const isForm = step.type === 'wait_for' && step.event === 'form_submission';
  return isForm ? [{ kind: 'form_awaited', key: step.form_code ?? '' }] : [];
}
