import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { ATTEMPTS_OF_DELETED } from '../../../work-queue/delivery-attempts.ts';

/** Hours for which finished deliveries are kept, for troubleshooting. */
const RETENTION_HOURS = 7 * 24;

/** Finished deliveries. */
export const changeDeliveryRetention = defineRetention({
  description: 'finished deliveries of record changes',
  keptHours: RETENTION_HOURS,
  table: 'entity_change_deliveries',
  isOld: (before) => sql`r.id < ${firstIdOf(before)} and r.state <> 'pending'`,
  dependents: ATTEMPTS_OF_DELETED,
  byTenant: true,
});

/** Changes; kept longer than deliveries are retried. */
export const changeRetention = defineRetention({
  description: 'record changes for webhooks',
  keptHours: 2 * RETENTION_HOURS,
  table: 'entity_changes',
  isOld: (before) => sql`r.id < ${firstIdOf(before)}`,
  byTenant: true,
});
