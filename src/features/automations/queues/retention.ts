import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

/** How long a message waits for a handler, in hours. */
export const WAITING_HOURS = 7 * 24;

/** Removes messages without a handler. */
export const waitingRetention = defineRetention({
  description: 'unhandled queue messages',
  keptHours: WAITING_HOURS,
  table: 'queue_messages',
  isOld: (before) => sql`r.id < ${firstIdOf(before)}`,
  byTenant: true,
});
