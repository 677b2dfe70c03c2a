/** What a try of a run is given, and the rules of tries. */
import type { ReadRelated } from '../../../flows/related-records.ts';
import type { Plan } from './compile.ts';
import type { RunFailure, Trigger } from './run-queries.ts';
import type { Entry } from './visitor.ts';

/** The waits before the further tries of an action that has failed, seconds. */
export const RETRY_WAITS_SECONDS: readonly number[] = [2, 10, 30];
/** What a lease must have beyond a run's time: for the wait for a place, and for what is written at the end. */
export const LEASE_MARGIN_SECONDS = 15;
/** A run with everything that a try needs. */
export interface RunToTry {
  readonly plan: Plan;
  readonly trigger: Trigger;
  readonly readRelated: ReadRelated;
  /** By what it has finally failed: then its actions of `on_failure` are done. */
  readonly failure: RunFailure | null;
  /** Those that were done, and perhaps the one that failed. */
  readonly actions: readonly Entry[];
  readonly chain: readonly string[];
  /** What the chain began with; null: this run, or unknown. */
  readonly rootId: string | null;
  /** Whether an earlier try has noted that it has begun. */
  readonly hasBegun: boolean;
}

/** Whoever does the run now is somebody else. */
export class LeaseLost extends Error {}
/** All connections were in use all the time. */
export class TooBusy extends Error {}
