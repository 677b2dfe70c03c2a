/**
 * Attempts in memory, at most so many at once per target of a tenant; the others wait in line. Tenants may have a target
 * in common, such as the domain of their recipients: none stands in another's line. A receiver that
 * answers in milliseconds would otherwise stand idle while the database is asked for its next rows: so a quick target
 * may have more rows claimed than are attempted at once, a slow one may not.
 */
import { LRUCache } from 'lru-cache';
import { type Attempt, type Claim, type Settlement, targetKey } from './ledger.ts';

/** Targets whose pace is remembered; a forgotten one counts as slow until it has shown its pace again. */
const REMEMBERED_TARGETS = 10_000;
/** Rows are claimed ahead for about this long, milliseconds. */
const AHEAD_MS = 200;
/** How many times the attempts at once may be claimed of the quickest target. */
const MOST_AHEAD = 64;
/** How much the latest attempt counts in a target's pace. */
const SMOOTHING = 0.2;
/** An attempt that waited longer than this might outlive its lease, milliseconds. Leases have twice this margin. */
const LONGEST_WAIT_MS = 5_000;

interface Queue {
  underWay: number;
  readonly waiting: { readonly attempt: Attempt; readonly since: number }[];
}

/** Makes attempts, bounded per target. */
export class TargetQueues {
  readonly #perTarget: number;
  readonly #queues = new Map<string, Queue>();
  readonly #pace = new LRUCache<string, number>({ max: REMEMBERED_TARGETS });
  readonly #onSettled: (settlement: Settlement) => void;

  constructor(perTarget: number, onSettled: (settlement: Settlement) => void) {
    this.#perTarget = perTarget;
    this.#onSettled = onSettled;
  }

  /** The most rows of one target that are worth claiming at once. */
  static mostClaims(perTarget: number): number {
    return perTarget * MOST_AHEAD;
  }

  /** How many rows of a tenant's target may be claimed at once, by its pace so far. */
  claimsOf(tenantId: string, targetId: string): number {
    const pace = this.#pace.get(targetKey(tenantId, targetId));
    if (pace === undefined) return this.#perTarget;
    return this.#perTarget * Math.min(MOST_AHEAD, Math.max(1, Math.floor(AHEAD_MS / Math.max(1, pace))));
  }

  /** Makes the attempt now, or when its target has a place for it. */
  add(attempt: Attempt): void {
    const key = keyOf(attempt.claim);
    const queue = this.#queues.get(key) ?? { underWay: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.underWay < this.#perTarget) this.#make(queue, attempt);
    else queue.waiting.push({ attempt, since: performance.now() });
  }

  async #make(queue: Queue, { claim, make }: Attempt): Promise<void> {
    queue.underWay += 1;
    const startedAt = performance.now();
    const settlement = await make();
    this.#notePace(claim, performance.now() - startedAt);
    queue.underWay -= 1;
    this.#next(queue);
    if (queue.underWay === 0) this.#queues.delete(keyOf(claim));
    this.#onSettled(settlement);
  }

  #next(queue: Queue): void {
    for (let next = queue.waiting.shift(); next !== undefined; next = queue.waiting.shift()) {
      if (performance.now() - next.since <= LONGEST_WAIT_MS) {
        this.#make(queue, next.attempt);
        return;
      }
      const { claim } = next.attempt;
      this.#onSettled({ claim, outcome: { kind: 'abandoned' }, at: new Date() });
    }
  }

  #notePace(claim: Claim, milliseconds: number): void {
    const key = keyOf(claim);
    const before = this.#pace.get(key) ?? milliseconds;
    this.#pace.set(key, before + SMOOTHING * (milliseconds - before));
  }
}

function keyOf({ tenantId, targetId }: Claim): string {
  return targetKey(tenantId, targetId);
}
