import type { Platform } from '../platform.ts';
import { ClockWatch } from './clock-watch.ts';
import type { LedgerDefinition } from './ledger.ts';
import { recallRows } from './ledger-queries.ts';

/** After rows could not be recalled, or while some may still be written by the clock as it was, milliseconds. */
const RECALL_AGAIN_MS = 5_000;
/** How far apart the clocks of several processes may be for a recall to tell a live lease, milliseconds. */
const CLOCKS_APART_MS = 60_000;

type RecalledLedger = Pick<
  LedgerDefinition<never>,
  'name' | 'table' | 'view' | 'dueTimes' | 'leaseSeconds' | 'longestLeaseSeconds'
>;

/**
 * After the clock was set back, rows of a ledger wait for a time that is far off: they are given one that the rules allow. Other
 * processes are given the time of a lease to settle what they hold.
 */
export class ClockRecall {
  readonly #platform: Platform;
  readonly #ledger: RecalledLedger;
  readonly #clockWatch = new ClockWatch();
  /** When to recall rows, by the monotonic clock; null: nothing to do. */
  #recallAt: number | null = null;
  /** Rows that were worked when the clock was set back: what comes of them may be due by the clock as it was. */
  #heldThen: ReadonlySet<string> = new Set();

  constructor(platform: Platform, ledger: RecalledLedger) {
    this.#platform = platform;
    this.#ledger = ledger;
  }

  /** Looks at the clock, and recalls rows when it is time to; whether they were. `heldIds` are of rows that this process works. */
  async mind(heldIds: readonly string[]): Promise<boolean> {
    const { clock, database } = this.#platform;
    const now = clock();
    const leaseMs = this.#ledger.leaseSeconds(this.#platform) * 1000;
    const isAlone = database.kind === 'embedded';
    if (this.#clockWatch.sawJumpBack(now)) {
      this.#recallAt = performance.now() + (isAlone ? 0 : leaseMs);
      this.#heldThen = new Set(heldIds);
    }
    if (this.#recallAt === null || performance.now() < this.#recallAt) return false;
    const longestMs = Math.max(leaseMs, (this.#ledger.longestLeaseSeconds ?? 0) * 1000);
    const endAt = new Date(isAlone ? 0 : now.getTime() + longestMs + CLOCKS_APART_MS);
    try {
      await recallRows(this.#platform, this.#ledger, now, { endAt, heldIds });
    } catch (error) {
      // It asks all nodes. Those that are there are worked meanwhile.
      this.#platform.observe({ event: 'ledger.failed', ledger: this.#ledger.name, error });
      this.#recallAt = performance.now() + RECALL_AGAIN_MS;
      return false;
    }
    const isSettled = heldIds.every((id) => !this.#heldThen.has(id));
    this.#recallAt = isSettled ? null : performance.now() + RECALL_AGAIN_MS;
    return true;
  }
}
