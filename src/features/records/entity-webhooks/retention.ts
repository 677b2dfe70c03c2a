import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

/** So long deliveries are kept after their end, for whoever looks into a fault, hours. */
const KEPT_HOURS = 7 * 24;

/** Deliveries that have ended. */
export const changeDeliveryRetention = defineRetention({
  what: 'deliveries of changes of records that have ended',
  keptHours: KEPT_HOURS,
  table: 'entity_change_deliveries',
  isOld: (before) => sql`r.id < ${firstIdOf(before)} and r.state <> 'pending'`,
  byTenant: true,
});

/** What has changed: longer than the retries of any delivery take. */
export const changeRetention = defineRetention({
  what: 'changes of records that were told',
  keptHours: 2 * KEPT_HOURS,
  table: 'entity_changes',
  isOld: (before) => sql`r.id < ${firstIdOf(before)}`,
  byTenant: true,
});
