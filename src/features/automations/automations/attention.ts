/** Part of the overview: automations whose runs fail. */
import { type FindAttention, NO_ATTENTION } from '../../../overview/overview-part.ts';
import { listFailingAutomations } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds active automations with failed runs in the last 24 hours, for owners, who alone see runs. */
export const findFailingAutomations: FindAttention = async ({ db, caller, now }, limit) => {
  if (!caller.isTenantAdmin) return NO_ATTENTION;
  const automations = await listFailingAutomations(db, new Date(now.getTime() - DAY_MS), limit);
  const items = automations.map(({ key, name, since, failed }) => ({
    entityType: 'automation' as const,
    key,
    title: name,
    severity: 'warning' as const,
    reason: 'runs_failed' as const,
    since,
    count: failed,
    ownerBuId: null,
  }));
  return { items, total: automations[0]?.total ?? 0 };
};
