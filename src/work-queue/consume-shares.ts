/** Processes rows without leases, many in one transaction. */

import { allSettled } from '../db/all-settled.ts';
import { isTenantUnavailable } from '../db/tenant-unavailable.ts';
import type { Platform } from '../platform.ts';
import { targetKey } from './turns.ts';
import type { WorkQueueDefinition } from './work-queue.ts';
import type { Share } from './work-queue-queries.ts';

/** Maximum number of rows per transaction. */
const MAX_ROWS = 1000;
/** Transactions that run at the same time, each on its own connection. */
const CONCURRENCY = 2;

/** The parts of a work queue definition that are needed here. */
type ConsumedWorkQueue = Pick<WorkQueueDefinition<never>, 'name' | 'consume'>;

/**
 * Calls the work queue's `consume` for the rows of these shares. Returns the shares whose rows must be claimed and
 * attempted: all if the work queue has no `consume`, else those for which it failed. @throws if a node is unavailable.
 */
export async function consumeShares(
  platform: Platform,
  { name: workQueue, consume }: ConsumedWorkQueue,
  shares: readonly Share[],
): Promise<readonly Share[]> {
  if (consume === undefined) return shares;
  const failedTargets = new Set<string>();
  const { failures } = await allSettled(
    shares.flatMap(splitShare),
    concurrencyOn(platform),
    async (share) => {
      const { tenant_id: tenantId, target_id: targetId } = share;
      try {
        const count = await consume(platform, { tenantId, targetId }, share.count);
        platform.observe({ event: 'work_queue.acknowledged', workQueue, outcome: 'success', count });
      } catch (error) {
        if (isTenantUnavailable(error)) throw error;
        platform.observe({ event: 'work_queue.failed', workQueue, error });
        failedTargets.add(targetKey(tenantId, targetId));
      }
    },
  );
  if (failures.length > 0) throw failures[0];
  return shares.filter(({ tenant_id, target_id }) => failedTargets.has(targetKey(tenant_id, target_id)));
}

/** On a cluster, several tenants are consumed concurrently already. */
function concurrencyOn({ database }: Platform): number {
  return database.isSharded || database.kind === 'embedded' ? 1 : CONCURRENCY;
}

function splitShare(share: Share): Share[] {
  const parts: Share[] = [];
  for (let remaining = share.count; remaining > 0; remaining -= MAX_ROWS)
    parts.push({ ...share, count: Math.min(remaining, MAX_ROWS) });
  return parts;
}
