import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

const DAY_HOURS = 24;
/** So long runs are kept after their end. */
const RUNS_KEPT_DAYS = 30;
/** Longer than any run that began with it is there, but for one that was replayed again and again. */
const VERSIONS_KEPT_DAYS = 3 * RUNS_KEPT_DAYS;

/** Runs that have ended. */
export const runRetention = defineRetention({
  what: 'runs of automations that have ended',
  keptHours: RUNS_KEPT_DAYS * DAY_HOURS,
  table: 'automation_runs',
  // By their ids: an index by their ends would be one more that each run writes. One that was replayed has ended again.
  isOld: (before) =>
    sql`r.id < ${firstIdOf(before)} and r.state <> 'pending' and (r.finished_at is null or r.finished_at < ${before})`,
  byTenant: true,
});

/** What automations were before they were changed. */
export const versionRetention = defineRetention({
  what: 'versions of automations that were replaced or deleted',
  keptHours: VERSIONS_KEPT_DAYS * DAY_HOURS,
  table: 'automation_versions',
  key: ['automation_id', 'version'],
  isOld: (before) => sql`r.replaced_at < ${before}`,
  byTenant: true,
});
