/** Attempts runs, and converts errors to outcomes. */

import { isSqlState } from '../../../db/sqlstate.ts';
import { type Cause, runCausedBy } from '../../../db/work-kind.ts';
import { linkedCause } from '../../../flows/chain.ts';
import { ConditionsBusy } from '../../../flows/condition-thread.ts';
import type { Platform } from '../../../platform.ts';
import type { Claim } from '../../../work-queue/claim.ts';
import type { Outcome } from '../../../work-queue/work-queue.ts';
import { type AttemptInput, TooBusy } from './attempt-input.ts';
import { RunAttempt } from './run-attempt.ts';
import { CLAIM_LOST, type RunProgress } from './run-queries.ts';

const BUSY_RETRY_MS = 1000;

/** Attempts a run. @throws errors that are faults of Tessera. */
export async function attemptRun(
  platform: Platform,
  claim: Claim,
  run: AttemptInput,
): Promise<Outcome<RunProgress>> {
  const attempt = new RunAttempt(platform, claim, run);
  try {
    return await runCausedBy(causeOf(claim, run), () => attempt.run());
  } catch (error) {
    if (isSqlState(error, CLAIM_LOST)) return { kind: 'abandoned' };
    if (error instanceof TooBusy || error instanceof ConditionsBusy)
      return retryLater(platform, attempt.progress());
    await attempt.rescue();
    const end = attempt.failureOutcome(error);
    if (end === null) throw error;
    return end;
  }
}

/** Retries shortly, without counting an attempt. */
function retryLater({ clock }: Platform, result: RunProgress): Outcome<RunProgress> {
  const dueAt = new Date(clock().getTime() + BUSY_RETRY_MS);
  const error = 'No database connection, or no thread for its conditions, was available in time.';
  return { kind: 'retry', error, isFault: true, dueAt, result };
}

/** Returns the cause for everything that the run does. */
function causeOf({ tenantId, id }: Claim, { plan, chain, rootId }: AttemptInput): Cause {
  const previous = chain.length === 0 ? null : { root: rootId, chain };
  return linkedCause(tenantId, previous, { id, link: plan.key });
}
