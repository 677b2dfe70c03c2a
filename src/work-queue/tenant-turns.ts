/**
 * Concurrency limit for calls to one outside service that all tenants share: a bucket, a model provider, other servers.
 * Tenants take turns, and none gets more than its part, so that slow responses to one delay no other.
 */
import { FairQueue, type Release } from './fair-queue.ts';

/** Limits on concurrent calls of one process. */
export interface TurnPlaces {
  readonly inAll: number;
  readonly perTenant: number;
}

/** The concurrency limit of one service. */
export class TenantTurns {
  readonly #queue: FairQueue;

  constructor({ inAll, perTenant }: TurnPlaces) {
    this.#queue = new FairQueue({ inAll, perTarget: perTenant });
  }

  /** Waits for a place; returns null if none is free in time. */
  take(tenantId: string, maxWaitMs: number): Promise<Release | null> {
    return this.#queue.enter({ tenantId, targetId: tenantId, lane: 0, maxWaitMs });
  }
}
