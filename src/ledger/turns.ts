/**
 * Whose turn it is. Concurrency is bounded in all, per target and per tenant, so that neither one slow target nor one
 * tenant with many slow targets can take the process from the others; and turns go round, over the tenants and
 * within each tenant over its targets, so that none is starved by those that come before it.
 */
import { LRUCache } from 'lru-cache';
import type { DueTarget, KnownTenant, Share, TenantPage } from './ledger-queries.ts';

/** Tenants whose place in the round is remembered; a forgotten one begins anew. */
const REMEMBERED_TENANTS = 1000;

/** The bounds on attempts under way at once in one process. */
export interface TurnLimits {
  readonly concurrency: number;
  readonly concurrencyPerTarget: number;
  readonly concurrencyPerTenant: number;
}

/** Counts attempts under way and deals out the free places. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #claimsOf: (targetId: string) => number;
  readonly #byTarget = new Map<string, number>();
  readonly #byTenant = new Map<string, number>();
  /** The last target that had its turn, of tenants that have more. */
  readonly #lastTarget = new LRUCache<string, string>({ max: REMEMBERED_TENANTS });
  #lastTenant: string | null = null;
  #total = 0;
  /** Whether this round over all tenants has given reason for another. */
  #isFruitful = false;

  /** `claimsOf` tells how many rows of a target may be claimed at once, when that is more than are attempted at once. */
  constructor(
    limits: TurnLimits,
    claimsOf: (targetId: string) => number = () => limits.concurrencyPerTarget,
  ) {
    this.#limits = limits;
    this.#claimsOf = claimsOf;
  }

  /** Attempts under way. */
  get underWay(): number {
    return this.#total;
  }

  get hasFreePlaces(): boolean {
    return this.#total < this.#limits.concurrency;
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

  /** Counts an attempt as begun (1) or ended (-1). */
  count(tenantId: string, targetId: string, change: 1 | -1): void {
    this.#total += change;
    add(this.#byTarget, targetKey(tenantId, targetId), change);
    add(this.#byTenant, tenantId, change);
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
    let free = this.#limits.concurrency - this.#total;
    let lastTenant = end;
    for (const { tenant_id, targets } of tenants) {
      const wanted = asked.get(tenant_id) ?? this.#limits.concurrencyPerTenant;
      const dealt = this.#dealToTenant(tenant_id, targets, free);
      shares.push(...dealt.shares);
      free -= dealt.count;
      if (wanted > 0) this.#remember(tenant_id, dealt.last, dealt.isCut || targets.length === wanted);
      lastTenant = tenant_id;
      if (free === 0) break;
    }
    this.#lastTenant = free === 0 ? lastTenant : end;
    this.#isFruitful ||= shares.length > 0;
    return shares;
  }

  #dealToTenant(tenantId: string, targets: readonly DueTarget[], free: number) {
    const shares: Share[] = [];
    let places = Math.min(free, this.#placesOf(tenantId));
    let count = 0;
    let last: string | null = null;
    for (const { tenant_id, target_id, due } of targets) {
      if (places === 0) return { shares, count, last, isCut: true };
      const busy = this.#byTarget.get(targetKey(tenant_id, target_id)) ?? 0;
      const share = Math.min(due, places, this.#claimsOf(target_id) - busy);
      if (share > 0) shares.push({ tenant_id, target_id, count: share });
      count += Math.max(0, share);
      places -= Math.max(0, share);
      last = target_id;
    }
    return { shares, count, last, isCut: false };
  }

  /** Remembers where a tenant's next turn begins: after `last` when it has more, else at its first target. */
  #remember(tenantId: string, last: string | null, hasMore: boolean): void {
    if (hasMore) {
      if (last !== null) this.#lastTarget.set(tenantId, last);
    } else if (this.#lastTarget.delete(tenantId)) {
      this.#isFruitful = true;
    }
  }

  #placesOf(tenantId: string): number {
    return this.#limits.concurrencyPerTenant - (this.#byTenant.get(tenantId) ?? 0);
  }

  /** Enough due targets to fill the tenant's places: each takes at least one, unless it is one of the saturated. */
  #wantedTargets(tenantId: string): number {
    const places = this.#placesOf(tenantId);
    if (places === 0) return 0;
    const busy = this.#byTenant.get(tenantId) ?? 0;
    return places + Math.ceil(busy / this.#limits.concurrencyPerTarget);
  }
}

function targetKey(tenantId: string, targetId: string): string {
  return `${tenantId} ${targetId}`;
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
