/** When a step that has failed is tried again: the same rule for runs of automations and states of journeys. */

import { LONGEST_RETRY_AFTER_SECONDS } from '../outbound/header-rules.ts';
import type { Claim, Outcome } from '../work-queue/work-queue.ts';

const JITTER = 0.2;

/** How a failed step ends an attempt of its row. */
export interface FailedStep<Note> {
  readonly error: string;
  readonly isFinal: boolean;
  readonly note: Note;
  readonly now: Date;
  /** The waits between the tries, seconds; after the last one the row has failed. */
  readonly waitsSeconds: readonly number[];
  /** Whether waits are spread by a fifth, so that many do not call at once. */
  readonly isSpread?: true;
  /** The wait that the receiver of a call asks for; null: it does not. */
  readonly askedSeconds?: number | null;
}

/** Another try after the wait for it, or the end. Attempts that broke by our own fault are none of the tries. */
export function retryStep<Note>(
  { attempts, faults }: Pick<Claim, 'attempts' | 'faults'>,
  { error, isFinal, note, now, waitsSeconds, isSpread, askedSeconds }: FailedStep<Note>,
): Outcome<Note> {
  const wait = isFinal ? undefined : waitsSeconds[attempts - faults];
  if (wait === undefined) return { kind: 'failed', error, note };
  const spread = isSpread ? wait * (1 + JITTER * (2 * Math.random() - 1)) : wait;
  const seconds = Math.max(spread, Math.min(askedSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS));
  return { kind: 'retry', error, note, dueAt: new Date(now.getTime() + seconds * 1000) };
}
