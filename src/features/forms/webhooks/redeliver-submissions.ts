import type { BulkContext } from '../../../resources/bulk-rules.ts';
import { roleCovers } from '../../../tenancy/caller.ts';
import { webhookDeliveries } from './delivery.ts';
import { makeDeliveriesOfDue, type SubmissionKey } from './queries.ts';

/**
 * Delivers submissions again to the active webhooks that the caller may change, in the open transaction. Returns the
 * number of submissions that have deliveries to them.
 */
export async function redeliverSubmissions(
  { db, caller, platform, now }: BulkContext,
  submissions: readonly SubmissionKey[],
): Promise<number> {
  const units = caller.units.filter(({ role }) => roleCovers(role, 'editor')).map(({ buId }) => buId);
  const count = await makeDeliveriesOfDue(db, submissions, units, now);
  db.afterCommit(() => platform.workQueues.wake(webhookDeliveries));
  return count;
}
