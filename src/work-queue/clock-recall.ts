import type { Platform } from '../platform.ts';
import { ClockWatch } from './clock-watch.ts';
import { LEASE_SECONDS } from './lease-renewal.ts';
import type { WorkQueueDefinition } from './work-queue.ts';
import { recallRows } from './work-queue-queries.ts';

/** Delay in ms before another recall: after an error, or while rows may still be written with the old time. */
const RECALL_AGAIN_MS = 5_000;

type RecalledWorkQueue = Pick<
  WorkQueueDefinition<never>,
  'name' | 'table' | 'view' | 'dueTimes' | 'leaseSeconds'
>;

/**
 * Corrects due times after the clock was set back: a row due too far ahead becomes due at the latest time that the work
 * queue's rules allow.
 */
export class ClockRecall {
  readonly #platform: Platform;
  readonly #workQueue: RecalledWorkQueue;
  readonly #clockWatch = new ClockWatch();
  /** Time of the next recall on the monotonic clock; null: none is needed. */
  #recallAt: number | null = null;
  /** Rows under way when the clock was set back; their outcomes may use the old time. */
  #openAtJump: ReadonlySet<string> = new Set();

  constructor(platform: Platform, workQueue: RecalledWorkQueue) {
    this.#platform = platform;
    this.#workQueue = workQueue;
  }

  /**
   * Checks the clock and recalls rows when needed; returns true if it did. `openIds` are rows under way in this
   * process.
   */
  async checkClock(openIds: readonly string[]): Promise<boolean> {
    const now = this.#platform.clock();
    if (this.#clockWatch.detectJumpBack(now)) {
      this.#recallAt = performance.now();
      this.#openAtJump = new Set(openIds);
    }
    if (this.#recallAt === null || performance.now() < this.#recallAt) return false;
    try {
      await recallRows(this.#platform, this.#workQueue, now, this.#workQueue.leaseSeconds ?? LEASE_SECONDS);
    } catch (error) {
      // The recall needs all nodes; until then the worker continues with the available ones.
      this.#platform.observe({ event: 'work_queue.failed', workQueue: this.#workQueue.name, error });
      this.#recallAt = performance.now() + RECALL_AGAIN_MS;
      return false;
    }
    const isDone = openIds.every((id) => !this.#openAtJump.has(id));
    this.#recallAt = isDone ? null : performance.now() + RECALL_AGAIN_MS;
    return true;
  }
}
