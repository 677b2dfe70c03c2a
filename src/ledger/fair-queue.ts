/**
 * Who may go now. So many places, in all and per target: a waiting one gets the next free place, the lowest lane first;
 * within a lane tenants take turns, and within a tenant its targets, so that none is starved by those before it and none
 * waits behind a target that has all its places.
 */

/** How many may be inside, in all and of one target (of one lane: targets are named so). */
export interface Places {
  readonly inAll: number;
  readonly perTarget: number;
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

/** Counts by key; a key that has none is forgotten. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }

  keys(): Iterable<string> {
    return this.#counts.keys();
  }
}

/** Waiting ones by target, in the order of their turns. */
type Tenant = Map<string, Waiter[]>;

/** The queue of one process, or of one ledger in it. */
export class FairQueue {
  readonly #places: Places;
  /** By lane and tenant, in the order of their turns. */
  readonly #lanes = new Map<number, Map<string, Tenant>>();
  readonly #byTarget = new Counts();
  #inside = 0;
  /** Places that may be taken for now. */
  #open: number;

  constructor(places: Places) {
    this.#places = places;
    this.#open = places.inAll;
  }

  /** Opens so many of the places; nobody inside is sent away. */
  open(places: number): void {
    this.#open = Math.min(places, this.#places.inAll);
    this.#admit();
  }

  /** Waits for a place; null when none came in time. */
  enter(entry: Entry): Promise<Leave | null> {
    if (entry.maxWaitMs <= 0) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Leave | null>();
    const waiter: Waiter = {
      entry,
      settle: (leave) => {
        clearTimeout(timer);
        resolve(leave);
      },
    };
    const timer = setTimeout(() => this.#giveUp(waiter), entry.maxWaitMs).unref();
    this.#lineOf(entry).push(waiter);
    this.#admit();
    return promise;
  }

  #admit(): void {
    while (this.#inside < this.#open) {
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

  #count(targetId: string, change: 1 | -1): void {
    this.#inside += change;
    this.#byTarget.add(targetId, change);
  }

  #takeNext(): Waiter | undefined {
    for (const [, tenants] of [...this.#lanes].sort(([a], [b]) => a - b)) {
      for (const [tenantId, targets] of tenants) {
        for (const [targetId, line] of targets) {
          if (this.#byTarget.of(targetId) >= this.#places.perTarget) continue;
          const waiter = line.shift();
          // Behind the others.
          moveToEnd(targets, targetId, line.length > 0);
          moveToEnd(tenants, tenantId, targets.size > 0);
          return waiter;
        }
      }
    }
    return undefined;
  }

  #lineOf({ lane, tenantId, targetId }: Entry): Waiter[] {
    const tenants = entryOf(this.#lanes, lane, () => new Map<string, Tenant>());
    const targets = entryOf(tenants, tenantId, () => new Map<string, Waiter[]>());
    return entryOf(targets, targetId, () => []);
  }

  #giveUp(waiter: Waiter): void {
    const { lane, tenantId, targetId } = waiter.entry;
    const tenants = this.#lanes.get(lane);
    const targets = tenants?.get(tenantId);
    const line = targets?.get(targetId);
    line?.splice(line.indexOf(waiter), 1);
    if (line?.length === 0) targets?.delete(targetId);
    if (targets?.size === 0) tenants?.delete(tenantId);
    waiter.settle(null);
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = create();
  map.set(key, created);
  return created;
}

function moveToEnd<V>(map: Map<string, V>, key: string, isKept: boolean): void {
  const value = map.get(key);
  map.delete(key);
  if (value !== undefined && isKept) map.set(key, value);
}
