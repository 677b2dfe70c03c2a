import type pg from 'pg';
import type { SqlPool } from '../db/pool.ts';

/** A server keeps what a connection has learned of a table, some 50 kilobytes, until the connection ends. */
const TABLES_EACH = 300;

/**
 * Connections for work on thousands of tables, one after the other. The embedded database has one, which is already in use:
 * there all work is part of its transaction.
 */
export class TableConnections {
  readonly #pool: SqlPool;
  readonly #first: pg.PoolClient;
  readonly #prepare: (client: pg.PoolClient) => Promise<unknown>;
  #present: pg.PoolClient | null = null;
  #tables = 0;

  /** `first` is in use beside these; `prepare` makes a new one ready. */
  constructor(pool: SqlPool, first: pg.PoolClient, prepare: (client: pg.PoolClient) => Promise<unknown>) {
    this.#pool = pool;
    this.#first = first;
    this.#prepare = prepare;
  }

  /** The connection for the next table; those before are not used any more then. */
  async next(): Promise<pg.PoolClient> {
    if (this.#pool.size === 1) return this.#first;
    if (this.#tables === TABLES_EACH) this.end();
    if (this.#present === null) {
      this.#present = await this.#pool.pool.connect();
      await this.#prepare(this.#present);
    }
    this.#tables += 1;
    return this.#present;
  }

  /** Lets go of it, with whatever is open on it. */
  end(): void {
    this.#present?.release(true);
    this.#present = null;
    this.#tables = 0;
  }
}
