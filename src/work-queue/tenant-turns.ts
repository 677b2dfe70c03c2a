/**
 * Concurrency limit for calls to one outside service that all tenants share: a bucket, a model provider, other servers.
 * Tenants take turns, and none gets more than its share, so that slow responses to one tenant delay no other.
 */
import { FairQueue, type Release } from './fair-queue.ts';

/** Limits on concurrent calls of one process. */
export interface TenantTurnLimits {
  readonly total: number;
  readonly perTenant: number;
}

/** The concurrency limit of one service. */
export class TenantTurns {
  readonly #queue: FairQueue;

  constructor({ total, perTenant }: TenantTurnLimits) {
    this.#queue = new FairQueue({ total, perTarget: perTenant });
  }

  /** Waits for a slot; returns null if none is free in time. */
  take(tenantId: string, maxWaitMs: number): Promise<Release | null> {
    return this.#queue.enter({ tenantId, targetId: tenantId, lane: 0, maxWaitMs });
  }
}
