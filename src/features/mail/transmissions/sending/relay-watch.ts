/**
 * Circuit breaker of the relay. While the relay is unreachable or rejects all mail, only one message at a time is sent
 * as a probe, so that an outage does not use up the retries of the backlog.
 */
import type { FairQueue } from '../../../../work-queue/fair-queue.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Opens and closes the slots of a queue. */
export class RelayWatch {
  readonly #queue: FairQueue;
  readonly #slots: number;
  /** Consecutive results with an unreachable relay or a rejected account. */
  #failures = 0;
  #pauseMs = 0;
  #pauseEnd: NodeJS.Timeout | undefined;

  constructor(queue: FairQueue, slots: number) {
    this.#queue = queue;
    this.#slots = slots;
  }

  /**
   * Records a result; `isReached` is true if the relay accepted or rejected the message itself. Returns true if a pause
   * begins.
   */
  report(isReached: boolean): boolean {
    if (isReached) {
      this.#failures = 0;
      this.#pauseMs = 0;
      this.#endPause();
      return false;
    }
    this.#failures += 1;
    if (this.#failures < this.#slots || this.#pauseEnd !== undefined) return false;
    this.#pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2), LONGEST_PAUSE_MS);
    this.#pauseEnd = setTimeout(() => this.#endPause(), this.#pauseMs);
    this.#pauseEnd.unref();
    this.#queue.open(0);
    return true;
  }

  #endPause(): void {
    clearTimeout(this.#pauseEnd);
    this.#pauseEnd = undefined;
    this.#queue.open(this.#pauseMs > 0 ? 1 : this.#slots);
  }
}
