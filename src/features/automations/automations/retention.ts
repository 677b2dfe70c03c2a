import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

const DAY_HOURS = 24;
/** Days that runs are kept after their end. */
const RUNS_KEPT_DAYS = 30;
/** Longer than the runs of a version are kept, unless they are replayed repeatedly. */
const VERSIONS_KEPT_DAYS = 3 * RUNS_KEPT_DAYS;

/** Removes ended runs. */
export const runRetention = defineRetention({
  description: 'finished automation runs',
  keptHours: RUNS_KEPT_DAYS * DAY_HOURS,
  table: 'automation_runs',
  // Ids contain creation times. An index on the end times would slow down every run. `finished_at` is also compared,
  // because a replayed run ends long after its creation.
  isOld: (before) =>
    sql`r.id < ${firstIdOf(before)} and r.state <> 'pending' and (r.finished_at is null or r.finished_at < ${before})`,
  byTenant: true,
});

/** Removes replaced versions of automations. */
export const versionRetention = defineRetention({
  description: 'replaced and deleted automation versions',
  keptHours: VERSIONS_KEPT_DAYS * DAY_HOURS,
  table: 'automation_versions',
  key: ['automation_id', 'version'],
  isOld: (before) => sql`r.replaced_at < ${before}`,
  byTenant: true,
});
