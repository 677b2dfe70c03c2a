/**
 * Places for calls of one outside service, which all tenants share: a bucket, a provider of models, the servers of others. Waiting
 * tenants take turns, and none has more than its part, so that slow answers to one hold up no other.
 */
import { FairQueue, type Leave } from './fair-queue.ts';

/** Calls of one process at once. */
export interface TurnPlaces {
  readonly inAll: number;
  readonly perTenant: number;
}

/** The places of one service. */
export class TenantTurns {
  readonly #queue: FairQueue;

  constructor({ inAll, perTenant }: TurnPlaces) {
    this.#queue = new FairQueue({ inAll, perTarget: perTenant });
  }

  /** Waits for a place; null when none is free in time. */
  take(tenantId: string, maxWaitMs: number): Promise<Leave | null> {
    return this.#queue.enter({ tenantId, targetId: tenantId, lane: 0, maxWaitMs });
  }
}
