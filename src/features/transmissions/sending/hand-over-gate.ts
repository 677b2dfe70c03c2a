/**
 * Who may hand a message over now. As many places as there are connections to the relay; a place is kept until the
 * message is settled in the database, so that a process that dies leaves at most that many messages of which it is not
 * known whether they left. Transactional mail goes first; within a lane tenants take turns; no recipient domain of a
 * lane takes all places. While the relay cannot be reached nothing goes out but one message at a time, to see whether it
 * is back, so that an outage does not use up the tries of a whole backlog.
 */

/** How many messages may be on their way, in all and to one recipient domain of a lane. */
export interface GateLimits {
  readonly places: number;
  readonly placesPerTarget: number;
}

/** What asks for a place. */
export interface Entry {
  /** The lower goes first. */
  readonly lane: number;
  readonly tenantId: string;
  readonly targetId: string;
  readonly maxWaitMs: number;
}

/** Gives the place back; calling it again does nothing. */
export type Leave = () => void;

interface Waiter {
  readonly entry: Entry;
  readonly settle: (leave: Leave | null) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** The gate of one process. */
export class HandOverGate {
  readonly #limits: GateLimits;
  /** Waiting entries by lane and tenant; the first tenant of a lane is next. */
  readonly #lanes = new Map<number, Map<string, Waiter[]>>();
  readonly #byTarget = new Map<string, number>();
  #inside = 0;
  /** Results in a row that say the relay cannot be reached. */
  #failures = 0;
  #pauseMs = 0;
  #pauseEnd: NodeJS.Timeout | undefined;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Waits for a place; null when none came in time. */
  enter(entry: Entry): Promise<Leave | null> {
    return new Promise((resolve) => {
      if (entry.maxWaitMs <= 0) {
        resolve(null);
        return;
      }
      const waiter = {
        entry,
        settle: (leave: Leave | null) => {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      const timer = setTimeout(() => this.#giveUp(waiter), entry.maxWaitMs).unref();
      this.#queueOf(entry).push(waiter);
      this.#admit();
    });
  }

  /** Tells whether the relay had anything to say to a message that went through. */
  report(isReached: boolean): void {
    if (isReached) {
      this.#failures = 0;
      this.#pauseMs = 0;
      this.#endPause();
      return;
    }
    this.#failures += 1;
    if (this.#failures < this.#limits.places || this.#pauseEnd !== undefined) return;
    this.#pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2), LONGEST_PAUSE_MS);
    this.#pauseEnd = setTimeout(() => this.#endPause(), this.#pauseMs);
    this.#pauseEnd.unref();
  }

  get #places(): number {
    if (this.#pauseEnd !== undefined) return 0;
    return this.#pauseMs > 0 ? 1 : this.#limits.places;
  }

  #endPause(): void {
    clearTimeout(this.#pauseEnd);
    this.#pauseEnd = undefined;
    this.#admit();
  }

  #admit(): void {
    while (this.#inside < this.#places) {
      const waiter = this.#takeNext();
      if (waiter === undefined) return;
      const { targetId } = waiter.entry;
      this.#count(targetId, 1);
      let isInside = true;
      waiter.settle(() => {
        if (!isInside) return;
        isInside = false;
        this.#count(targetId, -1);
        this.#admit();
      });
    }
  }

  #takeNext(): Waiter | undefined {
    for (const [, tenants] of [...this.#lanes].sort(([a], [b]) => a - b)) {
      for (const [tenantId, queue] of tenants) {
        const index = queue.findIndex(({ entry }) => this.#isFree(entry.targetId));
        if (index < 0) continue;
        const [waiter] = queue.splice(index, 1);
        // Behind the other tenants.
        tenants.delete(tenantId);
        if (queue.length > 0) tenants.set(tenantId, queue);
        return waiter;
      }
    }
    return undefined;
  }

  #isFree(targetId: string): boolean {
    return (this.#byTarget.get(targetId) ?? 0) < this.#limits.placesPerTarget;
  }

  #count(targetId: string, change: 1 | -1): void {
    this.#inside += change;
    const count = (this.#byTarget.get(targetId) ?? 0) + change;
    if (count === 0) this.#byTarget.delete(targetId);
    else this.#byTarget.set(targetId, count);
  }

  #queueOf({ lane, tenantId }: Entry): Waiter[] {
    const tenants = this.#lanes.get(lane) ?? new Map<string, Waiter[]>();
    this.#lanes.set(lane, tenants);
    const queue = tenants.get(tenantId) ?? [];
    tenants.set(tenantId, queue);
    return queue;
  }

  #giveUp(waiter: Waiter): void {
    const { lane, tenantId } = waiter.entry;
    const tenants = this.#lanes.get(lane);
    const rest = tenants?.get(tenantId)?.filter((each) => each !== waiter) ?? [];
    if (rest.length > 0) tenants?.set(tenantId, rest);
    else tenants?.delete(tenantId);
    waiter.settle(null);
  }
}
