/**
 * Response times of targets. A fast receiver would be idle while the database is polled for its next rows, so more of
 * its rows may be claimed than are attempted at once.
 */
import { LRUCache } from 'lru-cache';

/** Number of targets remembered; an unknown target counts as slow. */
const REMEMBERED_TARGETS = 10_000;
/** Rows are claimed ahead for about this time, in ms. */
const AHEAD_MS = 200;
/** Rows are claimed ahead for at least this many polls. The next ones are claimed when half of these are done. */
const AHEAD_POLLS = 3;
/** Largest multiple of a target's slots that may be claimed. */
const MAX_AHEAD = 64;
/** Weight of the latest attempt in a target's average. */
const SMOOTHING = 0.2;

/** Average attempt times by target key. */
export class Pace {
  readonly #aheadMs: number;
  readonly #averageMs = new LRUCache<string, number>({ max: REMEMBERED_TARGETS });

  /** `minPollIntervalMs`: shortest time between two polls for rows. */
  constructor(minPollIntervalMs: number) {
    this.#aheadMs = Math.max(AHEAD_MS, AHEAD_POLLS * minPollIntervalMs);
  }

  /** Returns the multiple of a target's slots that may be claimed. */
  claimFactor(target: string): number {
    const average = this.#averageMs.get(target) ?? this.#aheadMs;
    return Math.min(MAX_AHEAD, Math.max(1, Math.floor(this.#aheadMs / Math.max(1, average))));
  }

  /** Records the duration of an attempt. */
  record(target: string, milliseconds: number): void {
    const previous = this.#averageMs.get(target) ?? milliseconds;
    this.#averageMs.set(target, previous + SMOOTHING * (milliseconds - previous));
  }
}
