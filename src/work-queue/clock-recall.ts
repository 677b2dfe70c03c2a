import type { Platform } from '../platform.ts';
import { ClockWatch } from './clock-watch.ts';
import type { WorkQueueDefinition } from './work-queue.ts';
import { recallRows } from './work-queue-queries.ts';

/** Delay in ms before another recall: after an error, or while rows may still be written with the old time. */
const RECALL_AGAIN_MS = 5_000;
/** Largest difference between the clocks of processes at which a recall still recognizes live leases, in ms. */
const MAX_CLOCK_SKEW_MS = 60_000;

type RecalledWorkQueue = Pick<
  WorkQueueDefinition<never>,
  'name' | 'table' | 'view' | 'dueTimes' | 'leaseSeconds' | 'longestLeaseSeconds'
>;

/**
 * Corrects due times after the clock was set back: a row due too far ahead becomes due at the latest time that the work
 * queue's rules allow. Before that, other processes have the length of a lease to acknowledge their rows.
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
    const { clock, database } = this.#platform;
    const now = clock();
    const leaseMs = this.#workQueue.leaseSeconds(this.#platform) * 1000;
    const isAlone = database.kind === 'embedded';
    if (this.#clockWatch.detectJumpBack(now)) {
      this.#recallAt = performance.now() + (isAlone ? 0 : leaseMs);
      this.#openAtJump = new Set(openIds);
    }
    if (this.#recallAt === null || performance.now() < this.#recallAt) return false;
    const longestMs = Math.max(leaseMs, (this.#workQueue.longestLeaseSeconds ?? 0) * 1000);
    const endAt = new Date(isAlone ? 0 : now.getTime() + longestMs + MAX_CLOCK_SKEW_MS);
    try {
      await recallRows(this.#platform, this.#workQueue, now, { endAt, openIds });
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
