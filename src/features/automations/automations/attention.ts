/** Part of the overview: automations whose runs fail. */
import { listCounted } from '../../../overview/hourly-counts.ts';
import { type FindAttention, NO_ATTENTION } from '../../../overview/overview-part.ts';
import { listActiveOf } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds active automations with failed runs in the last 24 hours, for owners, who alone see runs. */
export const findFailingAutomations: FindAttention = async ({ db, caller, now }, limit) => {
  if (!caller.isTenantAdmin) return NO_ATTENTION;
  const failed = await listCounted(db, 'failed_runs', new Date(now.getTime() - DAY_MS));
  if (failed.length === 0) return NO_ATTENTION;
  const counts = new Map(failed.map((each) => [each.subject_id, each]));
  const automations = await listActiveOf(db, [...counts.keys()]);
  const items = automations.flatMap(({ id, key, name }) => {
    const found = counts.get(id);
    if (found === undefined) return [];
    const { since, total: count } = found;
    const about = { entityType: 'automation', severity: 'warning', reason: 'runs_failed' } as const;
    return [{ ...about, key, title: name, since, count, ownerBuId: null }];
  });
  const newestFirst = items.sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
  return { items: newestFirst.slice(0, limit), total: items.length };
};
