/** Retry rule of failed steps, for runs of automations and enrollments in journeys. */

import { LONGEST_RETRY_AFTER_SECONDS } from '../outbound/header-rules.ts';
import type { Claim } from '../work-queue/claim.ts';
import type { Outcome } from '../work-queue/work-queue.ts';

const JITTER = 0.2;

/** A failed step. */
export interface FailedStep<Result> {
  readonly error: string;
  readonly isFinal: boolean;
  readonly result: Result;
  readonly now: Date;
  /** The waits between attempts, in seconds; after the last one the item has failed. */
  readonly waitsSeconds: readonly number[];
  /** True if waits vary by a fifth, so that many retries do not happen at once. */
  readonly hasJitter?: true;
  /** The wait of the receiver's `Retry-After` header; null without one. */
  readonly retryAfterSeconds?: number | null;
}

/**
 * Schedules a retry after its wait, or fails the item. Attempts that failed because of a bug in Tessera do not count.
 */
export function retryStep<Result>(
  { attempts, faults }: Pick<Claim, 'attempts' | 'faults'>,
  { error, isFinal, result, now, waitsSeconds, hasJitter, retryAfterSeconds }: FailedStep<Result>,
): Outcome<Result> {
  const wait = isFinal ? undefined : waitsSeconds[attempts - faults];
  if (wait === undefined) return { kind: 'failed', error, result };
  const jittered = hasJitter ? wait * (1 + JITTER * (2 * Math.random() - 1)) : wait;
  const seconds = Math.max(jittered, Math.min(retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS));
  return { kind: 'retry', error, result, dueAt: new Date(now.getTime() + seconds * 1000) };
}
