/**
 * Broken attempts, or faults: attempts that failed because of a bug in Tessera. A fix or a restart may let the next
 * attempt succeed.
 */

import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import type { Claim } from './claim.ts';
import type { Outcome } from './work-queue.ts';

/** Number of faults after which a row fails; other attempts do not count. */
export const MAX_FAULTS = 8;
/** Wait before the second try, in seconds; each further wait is three times as long, an hour and a half in total. */
const FIRST_WAIT_SECONDS = 5;
const FACTOR = 3;
/** Maximum length of a stored error message. */
const MAX_ERROR_LENGTH = 500;

/** Returns the wait after this number of faults, in seconds. */
export function brokenWaitSeconds(faults: number): number {
  return FIRST_WAIT_SECONDS * FACTOR ** (Math.min(faults, MAX_FAULTS - 1) - 1);
}

/**
 * Returns the outcome of a broken attempt: a retry, or a failure at the last fault. A stopping process adds no fault.
 */
export function brokenOutcome(platform: Platform, { faults }: Claim, cause: unknown): Outcome<never> {
  if (platform.drain.started) return { kind: 'returned' };
  const message = cause instanceof Error ? cause.message : String(cause);
  const error = storable(
    `The attempt failed because of an internal error: ${message}`.slice(0, MAX_ERROR_LENGTH),
  );
  if (faults + 1 >= MAX_FAULTS) return { kind: 'failed', error, isFault: true };
  const waitMs = brokenWaitSeconds(faults + 1) * 1000;
  return { kind: 'retry', error, isFault: true, dueAt: new Date(platform.clock().getTime() + waitMs) };
}
