import type {
  AutomationTrigger,
  TriggerChange,
  TriggerContext,
  TriggerOwner,
} from '../../../flows/automation-trigger.ts';
import { lockTenant } from '../../../tenancy/tenant-home.ts';
import { deleteHandler, insertHandler } from './queries.ts';
import { releaseWaiting } from './release.ts';

/** Automations that handle the messages of a queue. */
export const queueTrigger: AutomationTrigger = { type: 'mqHandler', changed };

async function changed({ platform, db }: TriggerContext, { before, after }: TriggerChange): Promise<void> {
  const [then, queue] = [handledBy(before), handledBy(after)];
  if (then === queue) return;
  if (before !== null && then !== null) await deleteHandler(db, before.id);
  if (after === null || queue === null) return;
  await insertHandler(db, after.id, queue);
  // Whoever publishes to a queue that nobody handles waits, and sees the handler then.
  await lockTenant(db);
  await platform.jobs.enqueue(db, releaseWaiting, { tenant_id: db.tenantId, queue });
}

/** The queue that an automation handles; null: it is not active. */
function handledBy(owner: TriggerOwner | null): string | null {
  return owner?.active ? String(owner.triggerParams.queueName) : null;
}
