/** Parts of the overview: operations that failed, and those that run. */
import { listFailed, listUnfinished } from '../../long-operations/queries.ts';
import type { FindAttention, FindRunning } from '../../overview/overview-part.ts';
import type { Caller } from '../../tenancy/caller.ts';

/** Time in which a failed operation needs attention. */
const SHOWN_MS = 3 * 24 * 60 * 60 * 1000;

/** Finds failed operations that the caller sees. */
export const findFailedOperations: FindAttention = async ({ db, caller, now }, limit) => {
  const failed = await listFailed(db, memberOf(caller), new Date(now.getTime() - SHOWN_MS), limit);
  const items = failed.map(({ id, kind, title, unit_id, finished_at, created_at }) => ({
    entityType: 'operation' as const,
    key: id,
    title: title ?? kind,
    severity: 'error' as const,
    reason: 'operation_failed' as const,
    since: finished_at ?? created_at,
    count: null,
    ownerBuId: unit_id,
  }));
  return { items, total: failed[0]?.total ?? 0 };
};

/** Finds operations that have not ended and that the caller sees. */
export const findRunningOperations: FindRunning = async ({ db, caller }, limit) => {
  const running = await listUnfinished(db, memberOf(caller), limit);
  return running.map(({ id, kind, title, done, total, created_at: startedAt }) => ({
    ...{ id, kind, title, done, total, startedAt },
  }));
};

/** The member whose operations are visible; null for owners, who see those of all. */
function memberOf({ isTenantAdmin, membershipId }: Caller): string | null {
  return isTenantAdmin ? null : membershipId;
}
