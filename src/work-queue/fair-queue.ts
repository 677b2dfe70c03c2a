/**
 * A queue for a limited number of slots, in total and per target. The next free slot goes to the lowest lane; within
 * a lane tenants take turns, and within a tenant its targets. So none starves, and none waits behind a target that has
 * all its slots. An entry has a size: attempts and connections take one slot, memory takes one slot per byte.
 */

/** Number of slots: total, and per target across all lanes. */
export interface SlotLimits {
  readonly total: number;
  readonly perTarget: number;
}

/** A request for slots. */
export interface Entry {
  /** Priority; a lower number goes first. */
  readonly lane: number;
  readonly tenantId: string;
  readonly targetId: string;
  readonly maxWaitMs: number;
  /** The waiting object, for `timeOut`. */
  readonly owner?: object;
  /** Number of slots; default 1. A request above a limit is served when nothing else is inside. */
  readonly size?: number;
}

/**
 * Releases all slots except `kept`. A number above the current one takes more slots at once, without waiting.
 * After releasing all, further calls have no effect.
 */
export type Release = (kept?: number) => void;

interface Waiter {
  readonly entry: Entry;
  readonly size: number;
  readonly resolve: (release: Release | null) => void;
}

/** Counts by key; a key with count zero is removed. */
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

/** Waiting entries by target, in the order of their turns. */
type Tenant = Map<string, Waiter[]>;

/** A fair queue of one process. */
export class FairQueue {
  readonly #limits: SlotLimits;
  /** Waiting tenants by lane, in the order of their turns. */
  readonly #lanes = new Map<number, Map<string, Tenant>>();
  readonly #byTarget = new Counts();
  #inside = 0;
  /** Number of slots open at present. */
  #open: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#open = limits.total;
  }

  /** Maximum number of slots of one target. */
  get perTarget(): number {
    return this.#limits.perTarget;
  }

  /** Sets the number of open slots; entries inside keep theirs. */
  open(slots: number): void {
    this.#open = Math.min(slots, this.#limits.total);
    this.#admit();
  }

  /** Waits for a slot; returns null if none is free in time. */
  enter(entry: Entry): Promise<Release | null> {
    if (entry.maxWaitMs <= 0) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Release | null>();
    const waiter: Waiter = {
      entry,
      size: Math.min(entry.size ?? 1, this.#limits.total),
      resolve: (release) => {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const timer = setTimeout(() => this.#timeOut(waiter), entry.maxWaitMs).unref();
    this.#queueOf(entry).push(waiter);
    this.#admit();
    return promise;
  }

  /** Ends the waits of an owner as if their time were over. */
  timeOut(owner: object): void {
    const waiters = [...this.#lanes.values()].flatMap((tenants) =>
      [...tenants.values()].flatMap((targets) => [...targets.values()].flat()),
    );
    for (const waiter of waiters) if (waiter.entry.owner === owner) this.#timeOut(waiter);
  }

  #admit(): void {
    for (let next = this.#dequeue(); next !== undefined; next = this.#dequeue()) this.#enter(next);
  }

  #enter({ entry: { targetId }, size, resolve }: Waiter): void {
    let slots = size;
    this.#count(targetId, slots);
    resolve((kept = 0) => {
      if (slots === 0 || kept === slots) return;
      this.#count(targetId, kept - slots);
      slots = kept;
      this.#admit();
    });
  }

  #count(targetId: string, change: number): void {
    this.#inside += change;
    this.#byTarget.add(targetId, change);
  }

  #dequeue(): Waiter | undefined {
    for (const [, tenants] of [...this.#lanes].sort(([a], [b]) => a - b)) {
      for (const [tenantId, targets] of tenants) {
        for (const [targetId, queue] of targets) {
          const [first] = queue;
          if (first === undefined || !this.#targetHasRoom(targetId, first.size)) continue;
          // Smaller entries must not overtake a large one, or it would starve.
          if (this.#inside + first.size > this.#open) return undefined;
          queue.shift();
          // Move the target and the tenant behind the others.
          moveToEnd(targets, targetId, queue.length > 0);
          moveToEnd(tenants, tenantId, targets.size > 0);
          return first;
        }
      }
    }
    return undefined;
  }

  #targetHasRoom(targetId: string, size: number): boolean {
    const inside = this.#byTarget.of(targetId);
    return inside === 0 || inside + size <= this.#limits.perTarget;
  }

  #queueOf({ lane, tenantId, targetId }: Entry): Waiter[] {
    const tenants = getOrCreate(this.#lanes, lane, () => new Map<string, Tenant>());
    const targets = getOrCreate(tenants, tenantId, () => new Map<string, Waiter[]>());
    return getOrCreate(targets, targetId, () => []);
  }

  #timeOut(waiter: Waiter): void {
    const { lane, tenantId, targetId } = waiter.entry;
    const tenants = this.#lanes.get(lane);
    const targets = tenants?.get(tenantId);
    const queue = targets?.get(targetId);
    const index = queue?.indexOf(waiter) ?? -1;
    // It has entered: another entry's timeout admitted it.
    if (index === -1) return;
    queue?.splice(index, 1);
    // A timed-out entry counts as a turn: others go before the next entry of its tenant.
    if (targets !== undefined) moveToEnd(targets, targetId, queue !== undefined && queue.length > 0);
    if (tenants !== undefined) moveToEnd(tenants, tenantId, targets !== undefined && targets.size > 0);
    waiter.resolve(null);
    // Smaller entries may have waited behind it.
    this.#admit();
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = create();
  map.set(key, created);
  return created;
}

function moveToEnd<V>(map: Map<string, V>, key: string, isPresent: boolean): void {
  const value = map.get(key);
  map.delete(key);
  if (value !== undefined && isPresent) map.set(key, value);
}
