import { sql } from 'kysely';
import Type from 'typebox';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../http/idempotency.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import { defineRetention } from '../../../jobs/retention.ts';

/** Deletes expired Idempotency-Keys. */
export const idempotencyRetention = defineRetention({
  description: 'responses stored for an Idempotency-Key',
  keptHours: IDEMPOTENCY_LIFETIME_MS / (60 * 60 * 1000),
  table: 'idempotency_keys',
  key: ['caller', 'key'],
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: false,
});

/** Deletes failed jobs, which are kept for two weeks for inspection. */
export const failedJobRetention = defineRetention({
  description: 'failed jobs',
  keptHours: 14 * 24,
  table: 'jobs',
  isOld: (before) => sql`r.state = 'failed' and r.due_at < ${before}`,
  byTenant: false,
});

/** Vacuums the embedded database, for good query plans and small files. A server vacuums itself. */
export const vacuumEmbedded = defineJob({
  name: 'operations.vacuum-embedded-database',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '41 * * * *',
  run: async ({ database }) => {
    if (database.kind === 'embedded') await database.vacuum();
  },
});
