/**
 * How quickly targets answer. A receiver that answers in milliseconds would stand idle while the database is asked for
 * its next rows: so a quick target may have more rows claimed than are attempted at once, a slow one may not.
 */
import { LRUCache } from 'lru-cache';

/** Targets whose pace is remembered; a forgotten one counts as slow until it has shown its pace again. */
const REMEMBERED_TARGETS = 10_000;
/** Rows are claimed ahead for about this long, milliseconds. */
const AHEAD_MS = 200;
/** The same for so many looks, where looks are further apart: rows are claimed when half of them are gone. */
const AHEAD_LOOKS = 3;
/** How many times the attempts at once may be claimed of the quickest target. */
const MOST_AHEAD = 64;
/** How much the latest attempt counts in a target's pace. */
const SMOOTHING = 0.2;

/** The pace of targets, by their keys. */
export class Pace {
  readonly #aheadMs: number;
  readonly #milliseconds = new LRUCache<string, number>({ max: REMEMBERED_TARGETS });

  /** `lookEveryMs`: the least time between two looks for rows. */
  constructor(lookEveryMs: number) {
    this.#aheadMs = Math.max(AHEAD_MS, AHEAD_LOOKS * lookEveryMs);
  }

  /** How many times the attempts at once may be claimed of a target. */
  aheadOf(target: string): number {
    const pace = this.#milliseconds.get(target) ?? this.#aheadMs;
    return Math.min(MOST_AHEAD, Math.max(1, Math.floor(this.#aheadMs / Math.max(1, pace))));
  }

  /** Notes how long an attempt took. */
  note(target: string, milliseconds: number): void {
    const before = this.#milliseconds.get(target) ?? milliseconds;
    this.#milliseconds.set(target, before + SMOOTHING * (milliseconds - before));
  }
}
