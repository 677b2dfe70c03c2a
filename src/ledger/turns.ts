/**
 * Whose turn it is. A target takes as many places as it may have attempts under way, however many more of its rows
 * are claimed ahead. Concurrency is bounded in all, per target and per tenant, so that neither one slow target nor one
 * tenant with many slow targets can take the process from the others; and turns go round, over the tenants and
 * within each tenant over its targets, so that none is starved by those that come before it.
 */
import { LRUCache } from 'lru-cache';
import type { DueTarget, KnownTenant, TenantPage } from './due-tenants.ts';
import { Counts } from './fair-queue.ts';
import type { Share } from './ledger-queries.ts';

/** Tenants whose place in the round is remembered; a forgotten one begins anew. */
const REMEMBERED_TENANTS = 1000;

/** How many rows may be claimed and not settled, for each attempt that may be under way: what is claimed is in memory. */
const CLAIMED_PER_PLACE = 4;

/** Names a target: tenants may have one in common. */
export function targetKey(tenantId: string, targetId: string): string {
  return `${tenantId} ${targetId}`;
}

/** The bounds on attempts under way at once in one process. */
export interface TurnLimits {
  readonly concurrency: number;
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
}

/** Counts claimed rows and the places that they take, and deals out the free ones. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #claimsOf: (tenantId: string, targetId: string) => number;
  /** Claimed rows. */
  readonly #byTarget = new Counts();
  /** Places taken. */
  readonly #byTenant = new Counts();
  /** The last target that had its turn, of tenants that have more. */
  readonly #lastTarget = new LRUCache<string, string>({ max: REMEMBERED_TENANTS });
  #lastTenant: string | null = null;
  #claimed = 0;
  #places = 0;
  /** Whether this round over all tenants has given reason for another. */
  #isFruitful = false;

  /** `claimsOf` tells how many rows of a target may be claimed at once, when that is more than it has places. */
  constructor(
    limits: TurnLimits,
    claimsOf: (tenantId: string, targetId: string) => number = () => limits.concurrencyPerTarget,
  ) {
    this.#limits = limits;
    this.#claimsOf = claimsOf;
  }

  /** Rows claimed and not done. */
  get claimed(): number {
    return this.#claimed;
  }

  get hasFreePlaces(): boolean {
    return this.#freePlaces > 0 && this.#freeClaims > 0;
  }

  get #freePlaces(): number {
    return this.#limits.concurrency - this.#places;
  }

  get #freeClaims(): number {
    return this.#limits.concurrency * CLAIMED_PER_PLACE - this.#claimed;
  }

  /** The tenant after which the next look begins; null: a new round begins. */
  get lastTenant(): string | null {
    return this.#lastTenant;
  }

  /** Whether to look again at once: the round is not over, or another may find more. */
  get goesOn(): boolean {
    return this.#lastTenant !== null || this.#isFruitful;
  }

  /** Begins a new round. */
  beginRound(): void {
    this.#isFruitful = false;
  }

  /** Whether rows of this target could be claimed now, if there are any. */
  mayTakeMore(tenantId: string, targetId: string): boolean {
    return this.hasFreePlaces && !this.hasEnough(tenantId, targetId);
  }

  /** Whether a target has so many claimed rows that no more are claimed until some of them are done. */
  hasEnough(tenantId: string, targetId: string): boolean {
    return this.#refill(tenantId, targetId, this.#claimedOf(tenantId, targetId)) <= 0;
  }

  /**
   * Whether one more row of this target may begin without having waited for its turn: only while less than half of what there is room
   * for is under way, so that those that wait have theirs.
   */
  mayBegin(tenantId: string, targetId: string): boolean {
    const { concurrency, concurrencyPerTenant } = this.#limits;
    return (
      this.#places < concurrency / 2 &&
      this.#claimed < (concurrency * CLAIMED_PER_PLACE) / 2 &&
      this.#byTenant.of(tenantId) < concurrencyPerTenant / 2 &&
      this.#claimedOf(tenantId, targetId) < this.#claimsOf(tenantId, targetId) / 2
    );
  }

  /** Counts a row as claimed (1) or done (-1). */
  count(tenantId: string, targetId: string, change: 1 | -1): void {
    const key = targetKey(tenantId, targetId);
    const before = this.#byTarget.of(key);
    const places = this.#placesTaken(before + change) - this.#placesTaken(before);
    this.#byTarget.add(key, change);
    this.#byTenant.add(tenantId, places);
    this.#claimed += change;
    this.#places += places;
  }

  /** Of a target with so many claimed rows. */
  #placesTaken(claimed: number): number {
    return Math.min(claimed, this.#limits.concurrencyPerTarget);
  }

  /** What a look must know of the tenants that are being worked. */
  knownTenants(): KnownTenant[] {
    const ids = new Set([...this.#byTenant.keys(), ...this.#lastTarget.keys()]);
    return [...ids].map((tenant_id) => ({
      tenant_id,
      after: this.#lastTarget.get(tenant_id) ?? null,
      places: this.#wantedTargets(tenant_id),
    }));
  }

  /** Deals the free places to the due targets that a look with these `known` tenants found. */
  deal({ tenants, end }: TenantPage, known: readonly KnownTenant[]): Share[] {
    const asked = new Map(known.map(({ tenant_id, places }) => [tenant_id, places]));
    const shares: Share[] = [];
    const free: Room = { places: this.#freePlaces, claims: this.#freeClaims };
    let lastTenant = end;
    for (const { tenant_id, targets } of tenants) {
      const wanted = asked.get(tenant_id) ?? this.#limits.concurrencyPerTenant;
      const dealt = this.#dealToTenant(tenant_id, targets, free);
      shares.push(...dealt.shares);
      if (wanted > 0) this.#remember(tenant_id, dealt.last, dealt.isCut || targets.length === wanted);
      lastTenant = tenant_id;
      if (isFull(free)) break;
    }
    this.#lastTenant = isFull(free) ? lastTenant : end;
    this.#isFruitful ||= shares.length > 0;
    return shares;
  }

  /** Takes what it deals out of `free`. */
  #dealToTenant(tenantId: string, targets: readonly DueTarget[], free: Room) {
    const shares: Share[] = [];
    let ofTenant = this.#placesOf(tenantId);
    let last: string | null = null;
    for (const { tenant_id, target_id, due } of targets) {
      if (ofTenant <= 0 || isFull(free)) return { shares, last, isCut: true };
      const claimed = this.#claimedOf(tenant_id, target_id);
      const taken = this.#placesTaken(claimed);
      const mayTake = Math.min(this.#limits.concurrencyPerTarget - taken, ofTenant, free.places);
      // Rows ahead take no places, but only a target that has all of its own may have them.
      const isWhole = taken + mayTake === this.#limits.concurrencyPerTarget;
      const most = isWhole ? this.#refill(tenant_id, target_id, claimed) : mayTake;
      // As many due rows as it has places are counted, and may be more.
      const rows = due < this.#limits.concurrencyPerTarget ? due : most;
      const count = Math.max(0, Math.min(rows, most, free.claims));
      if (count > 0) shares.push({ tenant_id, target_id, count });
      const places = this.#placesTaken(claimed + count) - taken;
      ofTenant -= places;
      free.places -= places;
      free.claims -= count;
      last = target_id;
    }
    return { shares, last, isCut: false };
  }

  #claimedOf(tenantId: string, targetId: string): number {
    return this.#byTarget.of(targetKey(tenantId, targetId));
  }

  /** How many rows to claim for a target that has so many: none ahead until half of them are gone, then many at once. */
  #refill(tenantId: string, targetId: string, claimed: number): number {
    const most = this.#claimsOf(tenantId, targetId);
    return claimed < Math.max(this.#limits.concurrencyPerTarget, most / 2) ? most - claimed : 0;
  }

  /** Remembers where a tenant's next turn begins: after `last` when it has more, else at its first target. */
  #remember(tenantId: string, last: string | null, hasMore: boolean): void {
    if (hasMore) {
      if (last !== null) this.#lastTarget.set(tenantId, last);
    } else if (this.#lastTarget.delete(tenantId)) {
      this.#isFruitful = true;
    }
  }

  /** None where rows that began without having waited have taken more. */
  #placesOf(tenantId: string): number {
    return Math.max(0, this.#limits.concurrencyPerTenant - this.#byTenant.of(tenantId));
  }

  /** Enough due targets to fill the tenant's places: each takes at least one, unless it is one of the saturated. */
  #wantedTargets(tenantId: string): number {
    const places = this.#placesOf(tenantId);
    if (places === 0) return 0;
    const busy = this.#byTenant.of(tenantId);
    return places + Math.ceil(busy / this.#limits.concurrencyPerTarget);
  }
}

/** What is left to deal. */
interface Room {
  places: number;
  claims: number;
}

function isFull({ places, claims }: Room): boolean {
  return places <= 0 || claims <= 0;
}
