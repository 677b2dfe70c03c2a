/** The input of an attempt of a run, and the rules of attempts. */
import type { ReadRelated } from '../../../flows/related-records.ts';
import type { Plan } from './plan.ts';
import type { RunFailure, Trigger } from './run-queries.ts';
import type { Entry } from './visitor.ts';

/** Waits before the retries of a failed action, in seconds. */
export const RETRY_WAITS_SECONDS: readonly number[] = [2, 10, 30];
/** A run with everything that an attempt needs. */
export interface AttemptInput {
  readonly plan: Plan;
  readonly trigger: Trigger;
  readonly readRelated: ReadRelated;
  /** The final failure of the run. If set, its `on_failure` actions run. */
  readonly failure: RunFailure | null;
  /** The completed actions, and possibly the failed one. */
  readonly actions: readonly Entry[];
  readonly chain: readonly string[];
  /** The run that began the chain. Null if it is this run or unknown. */
  readonly rootId: string | null;
  /** True if an earlier attempt has stored that the run began. */
  readonly hasBegun: boolean;
}

/** Error: all connections were in use for too long. */
export class TooBusy extends Error {}
