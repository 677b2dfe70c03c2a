import { sql } from 'kysely';
import Type from 'typebox';
import { IDEMPOTENCY_LIFETIME_MS } from '../../http/idempotency.ts';
import { defineJob } from '../../jobs/jobs.ts';

/** Rows per statement: small enough that the embedded database's one connection is never held for long. */
const BATCH = 5000;

/** Removes Idempotency-Keys that no longer count. */
const purgeIdempotencyKeys = defineJob({
  name: 'operations.purge-idempotency-keys',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '17 * * * *',
  run: async (platform) => {
    const before = new Date(platform.clock().getTime() - IDEMPOTENCY_LIFETIME_MS);
    for (;;) {
      const removed = await sql`
        delete from idempotency_keys where (tenant_id, caller, key) in
          (select tenant_id, caller, key from idempotency_keys where created_at < ${before} limit ${BATCH})`.execute(
        platform.database.everyTenant,
      );
      if (removed.numAffectedRows === undefined || removed.numAffectedRows < BATCH) return;
    }
  },
});

/** Keeps the embedded database's plans good and its files small; a server looks after itself. */
const vacuumEmbedded = defineJob({
  name: 'operations.vacuum-embedded-database',
  payload: Type.Object({}),
  timeoutSeconds: 600,
  schedule: '41 * * * *',
  run: async ({ database }) => {
    if (database.kind === 'embedded') await database.vacuum();
  },
});

/** The platform's own housekeeping. */
export const jobs = [purgeIdempotencyKeys, vacuumEmbedded];
