/**
 * A fair queue in front of the connections of a process. One tenant uses at most a share of them at a time; beyond it
 * that tenant's statements wait, and free connections go to waiting tenants in turn.
 */
import { validate as isUuid } from 'uuid';
import { FairQueue, type Leave } from '../ledger/fair-queue.ts';
import type { SqlPool } from './pool.ts';

/** The part of a process's connections that one tenant may use at a time. */
const TENANT_SHARE = 0.6;
/** How long a statement waits for a connection to a server, ms. */
const MAX_WAIT_MS = 15_000;
/** The longest delay of a timer: the embedded database has one connection, for which everything waits its turn. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Work of no single tenant (credentials, work queues, readiness) comes first: its statements are short. */
const [PLATFORM_LANE, TENANT_LANE] = [0, 1];

/** No connection was free in time. */
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
  #entries = 0;

  constructor({ kind, size }: Pick<SqlPool, 'kind' | 'size'>) {
    this.#queue = new FairQueue({ inAll: size, perTarget: Math.ceil(size * TENANT_SHARE) });
    this.#maxWaitMs = kind === 'embedded' ? NO_LIMIT_MS : MAX_WAIT_MS;
  }

  /**
   * Waits for the right to use a connection under `tenant`; anything but a tenant's id is work of the platform.
   * @throws NoConnectionError when none was free in time.
   */
  async enter(tenant: string | null): Promise<Leave> {
    const leave = await this.#queue.enter({ ...this.#entryOf(tenant), maxWaitMs: this.#maxWaitMs });
    if (leave === null) throw new NoConnectionError();
    return leave;
  }

  #entryOf(tenant: string | null) {
    if (tenant !== null && isUuid(tenant)) return { lane: TENANT_LANE, tenantId: tenant, targetId: tenant };
    // A target for each entry: the platform's own work has no share.
    this.#entries += 1;
    return { lane: PLATFORM_LANE, tenantId: '', targetId: `platform ${this.#entries}` };
  }
}
