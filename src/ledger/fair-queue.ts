/**
 * Who may go now. So many places, in all and per target: a waiting one gets the next free place, the lowest lane first;
 * within a lane tenants take turns, and within a tenant its targets, so that none is starved by those before it and none
 * waits behind a target that has all its places. Some take more than one place: those of one size each are attempts or
 * connections, those of many are bytes.
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
  /** How many places it takes, 1 when absent. What wants more than its target or all may have passes alone. */
  readonly size?: number;
}

/**
 * Keeps so many of the places, none when absent, and gives the others back. More than were held are taken at once:
 * whoever is inside never waits. What keeps none has left for good.
 */
export type Leave = (kept?: number) => void;

interface Waiter {
  readonly entry: Entry;
  readonly size: number;
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

  /** How many places one target may have at most. */
  get perTarget(): number {
    return this.#places.perTarget;
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
      size: Math.min(entry.size ?? 1, this.#places.inAll),
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
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#letIn(next);
  }

  #letIn({ entry: { targetId }, size, settle }: Waiter): void {
    let held = size;
    this.#count(targetId, held);
    settle((kept = 0) => {
      if (held === 0 || kept === held) return;
      this.#count(targetId, kept - held);
      held = kept;
      this.#admit();
    });
  }

  #count(targetId: string, change: number): void {
    this.#inside += change;
    this.#byTarget.add(targetId, change);
  }

  #takeNext(): Waiter | undefined {
    for (const [, tenants] of [...this.#lanes].sort(([a], [b]) => a - b)) {
      for (const [tenantId, targets] of tenants) {
        for (const [targetId, line] of targets) {
          const [first] = line;
          if (first === undefined || !this.#targetHasRoom(targetId, first.size)) continue;
          // Nobody overtakes one that waits for more room than there is: it would wait for ever.
          if (this.#inside + first.size > this.#open) return undefined;
          line.shift();
          // Behind the others.
          moveToEnd(targets, targetId, line.length > 0);
          moveToEnd(tenants, tenantId, targets.size > 0);
          return first;
        }
      }
    }
    return undefined;
  }

  #targetHasRoom(targetId: string, size: number): boolean {
    const inside = this.#byTarget.of(targetId);
    return inside === 0 || inside + size <= this.#places.perTarget;
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
    // What it waited for in vain, the next of its tenant must not wait for at once: others have their turn before.
    if (targets !== undefined) moveToEnd(targets, targetId, line !== undefined && line.length > 0);
    if (tenants !== undefined) moveToEnd(tenants, tenantId, targets !== undefined && targets.size > 0);
    waiter.settle(null);
    // Others may have waited behind it for less room than it wanted.
    this.#admit();
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
