import { sql } from 'kysely';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { defineRetention } from '../../../jobs/retention.ts';

/** How long a message waits for somebody who handles its queue, hours. */
export const WAITING_HOURS = 7 * 24;

/** Messages that nobody has handled. */
export const waitingRetention = defineRetention({
  what: 'messages of queues that nobody has handled',
  keptHours: WAITING_HOURS,
  table: 'queue_messages',
  isOld: (before) => sql`r.id < ${firstIdOf(before)}`,
  byTenant: true,
});
