import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

/** No API shows ended deliveries; they are kept for diagnosing faults. */
export const eventDeliveryRetention = defineRetention({
  description: 'finished deliveries to event webhooks',
  keptHours: 7 * 24,
  table: 'email_event_deliveries',
  isOld: (before) => sql`r.id < ${firstIdOf(before)} and r.state <> 'pending'`,
  byTenant: true,
});
