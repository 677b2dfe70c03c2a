/** An attempt that broke by itself: a fault of ours, which a repair or a restart may have mended by the next try. */
import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import type { Claim, Outcome } from './ledger.ts';

const TRIES = 8;
/** Before the second try; three times as long before each further one: an hour and a half in all. */
const FIRST_WAIT_SECONDS = 5;
const FACTOR = 3;
const MAX_ERROR = 500;

/** The wait for another try after so many attempts, seconds. */
export function brokenWaitSeconds(attempts: number): number {
  return FIRST_WAIT_SECONDS * FACTOR ** (Math.min(attempts, TRIES - 1) - 1);
}

/** Counts as a try; the last one fails the row. What a process that stops takes away is no fault of the row. */
export function brokenOutcome(platform: Platform, { attempts }: Claim, cause: unknown): Outcome<never> {
  if (platform.drain.started) return { kind: 'abandoned' };
  const words = cause instanceof Error ? cause.message : String(cause);
  const error = storable(`The attempt broke by a fault of Tessera: ${words}`.slice(0, MAX_ERROR));
  if (attempts + 1 >= TRIES) return { kind: 'failed', error };
  const waitMs = brokenWaitSeconds(attempts + 1) * 1000;
  return { kind: 'retry', error, dueAt: new Date(platform.clock().getTime() + waitMs) };
}
