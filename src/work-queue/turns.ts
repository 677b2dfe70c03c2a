/**
 * Round-robin assignment of slots. A target takes as many slots as it may have attempts under way, even if more of
 * its rows are claimed ahead. Concurrency is limited in total, per target and per tenant, so that neither a slow
 * target nor a tenant with many slow targets can occupy the process. Tenants, and targets within a tenant, take turns,
 * so that none starves.
 */
import { LRUCache } from 'lru-cache';
import type { DueTarget, KnownTenant, TenantPage } from './due-tenants.ts';
import { Counts } from './fair-queue.ts';
import type { Share } from './work-queue-queries.ts';

/** Tenants whose position in the round is remembered; others start at their first target. */
const REMEMBERED_TENANTS = 1000;

/** Claimed rows per slot. A limit, because claimed rows are in memory. */
const CLAIMED_PER_SLOT = 4;

/** Returns a key that is unique across tenants; target ids may repeat among them. */
export function targetKey(tenantId: string, targetId: string): string {
  return `${tenantId} ${targetId}`;
}

/** Limits on concurrent attempts of one process. */
export interface TurnLimits {
  readonly concurrency: number;
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
}

/** Counts claimed rows and the slots that they take, and assigns free slots. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #claimsOf: (tenantId: string, targetId: string) => number;
  /** Claimed rows. */
  readonly #byTarget = new Counts();
  /** Slots taken. */
  readonly #byTenant = new Counts();
  /** The last target served, for tenants that have more. */
  readonly #lastTarget = new LRUCache<string, string>({ max: REMEMBERED_TENANTS });
  #lastTenant: string | null = null;
  #claimed = 0;
  #slots = 0;
  /** True if this round assigned rows or reached the end of a tenant's targets, so another round may find more. */
  #foundRows = false;

  /** `claimsOf` returns how many rows of a target may be claimed at once; the default is its number of slots. */
  constructor(
    limits: TurnLimits,
    claimsOf: (tenantId: string, targetId: string) => number = () => limits.concurrencyPerTarget,
  ) {
    this.#limits = limits;
    this.#claimsOf = claimsOf;
  }

  /** Number of claimed rows that are not done. */
  get claimed(): number {
    return this.#claimed;
  }

  get hasFreeSlots(): boolean {
    return this.#freeSlots > 0 && this.#freeClaims > 0;
  }

  get #freeSlots(): number {
    return this.#limits.concurrency - this.#slots;
  }

  get #freeClaims(): number {
    return this.#limits.concurrency * CLAIMED_PER_SLOT - this.#claimed;
  }

  /** The tenant after which the next poll begins; null if a new round begins. */
  get lastTenant(): string | null {
    return this.#lastTenant;
  }

  /** True if the worker should poll again at once: the round is not over, or another may find more. */
  get hasMoreWork(): boolean {
    return this.#lastTenant !== null || this.#foundRows;
  }

  /** Begins a new round. */
  beginRound(): void {
    this.#foundRows = false;
  }

  /** True if rows of this target may be claimed now. */
  mayTakeMore(tenantId: string, targetId: string): boolean {
    return this.hasFreeSlots && !this.hasEnough(tenantId, targetId);
  }

  /** True if no more rows of a target are claimed until some of its claimed rows are done. */
  hasEnough(tenantId: string, targetId: string): boolean {
    return this.#refill(tenantId, targetId, this.#claimedOf(tenantId, targetId)) <= 0;
  }

  /**
   * True if a row of this target may start without waiting for its turn. Such rows take at most half of the capacity,
   * so that waiting rows have the other half.
   */
  mayBegin(tenantId: string, targetId: string): boolean {
    const { concurrency, concurrencyPerTenant } = this.#limits;
    return (
      this.#slots < concurrency / 2 &&
      this.#claimed < (concurrency * CLAIMED_PER_SLOT) / 2 &&
      this.#byTenant.of(tenantId) < concurrencyPerTenant / 2 &&
      this.#claimedOf(tenantId, targetId) < this.#claimsOf(tenantId, targetId) / 2
    );
  }

  /** Counts a row as claimed (1) or done (-1). */
  count(tenantId: string, targetId: string, change: 1 | -1): void {
    const key = targetKey(tenantId, targetId);
    const before = this.#byTarget.of(key);
    const slots = this.#slotsTaken(before + change) - this.#slotsTaken(before);
    this.#byTarget.add(key, change);
    this.#byTenant.add(tenantId, slots);
    this.#claimed += change;
    this.#slots += slots;
  }

  /** Returns the slots of a target with this number of claimed rows. */
  #slotsTaken(claimed: number): number {
    return Math.min(claimed, this.#limits.concurrencyPerTarget);
  }

  /** Returns the poll positions of tenants that have claimed rows, or whose targets were not all served. */
  knownTenants(): KnownTenant[] {
    const ids = new Set([...this.#byTenant.keys(), ...this.#lastTarget.keys()]);
    return [...ids].map((tenant_id) => ({
      tenant_id,
      after: this.#lastTarget.get(tenant_id) ?? null,
      maxTargets: this.#targetsToRequest(tenant_id),
    }));
  }

  /** Assigns the free slots to the due targets that a poll with these `known` tenants found. */
  assign({ tenants, end }: TenantPage, known: readonly KnownTenant[]): Share[] {
    const requested = new Map(known.map(({ tenant_id, maxTargets }) => [tenant_id, maxTargets]));
    const shares: Share[] = [];
    const free: Capacity = { slots: this.#freeSlots, claims: this.#freeClaims };
    let lastTenant = end;
    for (const { tenant_id, targets } of tenants) {
      const limit = requested.get(tenant_id) ?? this.#limits.concurrencyPerTenant;
      const assigned = this.#assignToTenant(tenant_id, targets, free);
      shares.push(...assigned.shares);
      if (limit > 0)
        this.#remember(tenant_id, assigned.last, assigned.isIncomplete || targets.length === limit);
      lastTenant = tenant_id;
      if (isFull(free)) break;
    }
    this.#lastTenant = isFull(free) ? lastTenant : end;
    this.#foundRows ||= shares.length > 0;
    return shares;
  }

  /** Assigns slots to the targets of one tenant, and subtracts them from `free`. */
  #assignToTenant(tenantId: string, targets: readonly DueTarget[], free: Capacity) {
    const shares: Share[] = [];
    let tenantSlots = this.#slotsOf(tenantId);
    let last: string | null = null;
    for (const { tenant_id, target_id, due } of targets) {
      if (tenantSlots <= 0 || isFull(free)) return { shares, last, isIncomplete: true };
      const claimed = this.#claimedOf(tenant_id, target_id);
      const occupied = this.#slotsTaken(claimed);
      const available = Math.min(this.#limits.concurrencyPerTarget - occupied, tenantSlots, free.slots);
      // Rows claimed ahead take no slots, but only a target that uses all of its slots may have them.
      const isSaturated = occupied + available === this.#limits.concurrencyPerTarget;
      const maxRows = isSaturated ? this.#refill(tenant_id, target_id, claimed) : available;
      // The count of due rows stops at the slots of a target; there may be more.
      const rows = due < this.#limits.concurrencyPerTarget ? due : maxRows;
      const count = Math.max(0, Math.min(rows, maxRows, free.claims));
      if (count > 0) shares.push({ tenant_id, target_id, count });
      const slots = this.#slotsTaken(claimed + count) - occupied;
      tenantSlots -= slots;
      free.slots -= slots;
      free.claims -= count;
      last = target_id;
    }
    return { shares, last, isIncomplete: false };
  }

  #claimedOf(tenantId: string, targetId: string): number {
    return this.#byTarget.of(targetKey(tenantId, targetId));
  }

  /** Returns how many rows to claim for a target: none ahead until half of its claims are done, then many at once. */
  #refill(tenantId: string, targetId: string, claimed: number): number {
    const maxRows = this.#claimsOf(tenantId, targetId);
    return claimed < Math.max(this.#limits.concurrencyPerTarget, maxRows / 2) ? maxRows - claimed : 0;
  }

  /** Stores where a tenant's next turn begins: after `last` if it has more, otherwise at its first target. */
  #remember(tenantId: string, last: string | null, hasMore: boolean): void {
    if (hasMore) {
      if (last !== null) this.#lastTarget.set(tenantId, last);
    } else if (this.#lastTarget.delete(tenantId)) {
      this.#foundRows = true;
    }
  }

  /** Returns the free slots of a tenant; zero if rows that started without waiting exceed them. */
  #slotsOf(tenantId: string): number {
    return Math.max(0, this.#limits.concurrencyPerTenant - this.#byTenant.of(tenantId));
  }

  /** Returns how many due targets fill the tenant's slots; each takes at least one unless it is saturated. */
  #targetsToRequest(tenantId: string): number {
    const slots = this.#slotsOf(tenantId);
    if (slots === 0) return 0;
    const busy = this.#byTenant.of(tenantId);
    return slots + Math.ceil(busy / this.#limits.concurrencyPerTarget);
  }
}

/** Slots and claims that are still free. */
interface Capacity {
  slots: number;
  claims: number;
}

function isFull({ slots, claims }: Capacity): boolean {
  return slots <= 0 || claims <= 0;
}
