import { sql } from 'kysely';
import { defineRetention } from '../../../jobs/retention.ts';

/** Captured messages. */
export const outboxRetention = defineRetention({
  description: 'messages in the outbox',
  keptHours: 30 * 24,
  table: 'email_outbox',
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: false,
});
