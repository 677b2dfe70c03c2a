import type {
  AutomationTrigger,
  TriggerChange,
  TriggerContext,
  TriggerOwner,
} from '../../../flows/automation-trigger.ts';
import { lockTenant } from '../../../tenancy/tenant-row.ts';
import { deleteHandler, insertHandler } from './queries.ts';
import { releaseWaiting } from './release.ts';

/** Automations triggered by messages of a queue. */
export const queueTrigger: AutomationTrigger = { type: 'mqHandler', onChange: updateHandler };

async function updateHandler(
  { platform, db }: TriggerContext,
  { before, after }: TriggerChange,
): Promise<void> {
  const [previous, queue] = [handledQueue(before), handledQueue(after)];
  if (previous === queue) return;
  if (before !== null && previous !== null) await deleteHandler(db, before.id);
  if (after === null || queue === null) return;
  await insertHandler(db, after.id, queue);
  // A publisher to a queue without handlers waits for this lock and then sees the handler.
  await lockTenant(db);
  await platform.jobs.enqueue(db, releaseWaiting, { tenant_id: db.tenantId, queue });
}

/** Returns the queue that an automation handles, or null if it is inactive. */
function handledQueue(owner: TriggerOwner | null): string | null {
  return owner?.active ? String(owner.triggerParams.queueName) : null;
}
