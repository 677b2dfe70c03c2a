import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { ATTEMPTS_OF_DELETED } from '../../../work-queue/delivery-attempts.ts';

/** Finished deliveries; the list of deliveries shows them until then. */
export const eventDeliveryRetention = defineRetention({
  description: 'finished deliveries to event webhooks',
  keptHours: 7 * 24,
  table: 'email_event_deliveries',
  isOld: (before) => sql`r.id < ${firstIdOf(before)} and r.state <> 'pending'`,
  dependents: ATTEMPTS_OF_DELETED,
  byTenant: true,
});
