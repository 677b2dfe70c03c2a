import { sql } from 'kysely';
import type { Moment, Time } from '../../../db/tables.ts';
import { AppError } from '../../../errors/app-error.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';

interface UsedChallengeRow {
  tenant_id: string;
  seed: string;
  created_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    used_challenges: UsedChallengeRow;
  }
}

/**
 * Marks a challenge as used, in the transaction of the submission. @throws AppError CHALLENGE_REQUIRED if it was used
 * before.
 */
export async function useChallenge(tx: ScopedDb, seed: string, now: Moment): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx.query
    .insertInto('used_challenges')
    .values({ tenant_id: tx.tenantId, seed, created_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'seed']).doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw new AppError(CHALLENGE_REQUIRED);
}

/** Expired challenges are refused anyway, so they need no row. */
export const usedChallengeRetention = defineRetention({
  description: 'used form challenges',
  keptHours: 24,
  table: 'used_challenges',
  key: ['seed'],
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: false,
});
