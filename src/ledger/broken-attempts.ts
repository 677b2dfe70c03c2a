/** An attempt that broke by itself: a fault of ours, which a repair or a restart may have mended by the next try. */
import { storable } from '../db/storable.ts';
import type { Platform } from '../platform.ts';
import type { Claim, Outcome } from './ledger.ts';

/** How often a row is tried that has nothing but faults; other attempts do not count. */
export const MOST_FAULTS = 8;
/** Before the second try; three times as long before each further one: an hour and a half in all. */
const FIRST_WAIT_SECONDS = 5;
const FACTOR = 3;
const MAX_ERROR = 500;

/** The wait for another try after so many faults, seconds. */
export function brokenWaitSeconds(faults: number): number {
  return FIRST_WAIT_SECONDS * FACTOR ** (Math.min(faults, MOST_FAULTS - 1) - 1);
}

/** Counts as a fault; the last one fails the row. What a process that stops takes away is no fault of the row. */
export function brokenOutcome(platform: Platform, { faults }: Claim, cause: unknown): Outcome<never> {
  if (platform.drain.started) return { kind: 'abandoned' };
  const words = cause instanceof Error ? cause.message : String(cause);
  const error = storable(`The attempt broke by a fault of Tessera: ${words}`.slice(0, MAX_ERROR));
  if (faults + 1 >= MOST_FAULTS) return { kind: 'failed', error, isFault: true };
  const waitMs = brokenWaitSeconds(faults + 1) * 1000;
  return { kind: 'retry', error, isFault: true, dueAt: new Date(platform.clock().getTime() + waitMs) };
}
