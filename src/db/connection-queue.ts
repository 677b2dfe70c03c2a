/**
 * A fair queue for the connections of a process. One tenant uses at most a share of them at a time; its other
 * statements wait, and free connections go to waiting tenants in turn.
 */
import { validate as isUuid } from 'uuid';
import { FairQueue, type Release } from '../work-queue/fair-queue.ts';
import type { SqlPool } from './pool.ts';

/** Share of a process's connections that one tenant may use at a time. */
const TENANT_SHARE = 0.6;
/** Longest wait of a statement for a connection to a server, in ms. */
const MAX_WAIT_MS = 15_000;
/** The longest delay of a timer. The embedded database has one connection, for which every statement waits. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Platform work (credentials, work queues, readiness) goes first, because its statements are short. */
const [PLATFORM_LANE, TENANT_LANE] = [0, 1];

/** Thrown when no connection is free in time. */
export class NoConnectionError extends Error {
  constructor() {
    super('No database connection was free in time.');
    this.name = 'NoConnectionError';
  }
}

/** The queue of one pool. */
export class ConnectionQueue {
  readonly #queue: FairQueue;
  readonly #maxWaitMs: number;
  #platformEntries = 0;

  constructor({ kind, size }: Pick<SqlPool, 'kind' | 'size'>) {
    this.#queue = new FairQueue({ total: size, perTarget: Math.ceil(size * TENANT_SHARE) });
    this.#maxWaitMs = kind === 'embedded' ? NO_LIMIT_MS : MAX_WAIT_MS;
  }

  /**
   * Waits for a connection slot for `tenant`; a value that is not a tenant id counts as platform work.
   * @throws NoConnectionError if none is free in time.
   */
  async enter(tenant: string | null): Promise<Release> {
    const release = await this.#queue.enter({ ...this.#entryOf(tenant), maxWaitMs: this.#maxWaitMs });
    if (release === null) throw new NoConnectionError();
    return release;
  }

  #entryOf(tenant: string | null) {
    if (tenant !== null && isUuid(tenant)) return { lane: TENANT_LANE, tenantId: tenant, targetId: tenant };
    // Each entry is a target of its own, so platform work has no share limit.
    this.#platformEntries += 1;
    return { lane: PLATFORM_LANE, tenantId: '', targetId: `platform ${this.#platformEntries}` };
  }
}
