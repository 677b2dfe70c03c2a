import type pg from 'pg';
import type { SqlPool } from '../db/pool.ts';

/** The server caches about 50 kilobytes per table until the connection ends. */
const TABLES_PER_CONNECTION = 300;

/**
 * Connections for work on thousands of tables, one after the other. The embedded database has only one connection, so
 * all work is part of the open transaction there.
 */
export class TableConnections {
  readonly #pool: SqlPool;
  readonly #first: pg.PoolClient;
  readonly #prepare: (client: pg.PoolClient) => Promise<unknown>;
  #current: pg.PoolClient | null = null;
  #tables = 0;

  /** `first` is the connection of the open transaction; `prepare` sets up a new one. */
  constructor(pool: SqlPool, first: pg.PoolClient, prepare: (client: pg.PoolClient) => Promise<unknown>) {
    this.#pool = pool;
    this.#first = first;
    this.#prepare = prepare;
  }

  /** Returns the connection for the next table; earlier ones must no longer be used. */
  async next(): Promise<pg.PoolClient> {
    if (this.#pool.size === 1) return this.#first;
    if (this.#tables === TABLES_PER_CONNECTION) this.end();
    if (this.#current === null) {
      this.#current = await this.#pool.pool.connect();
      await this.#prepare(this.#current);
    }
    this.#tables += 1;
    return this.#current;
  }

  /** Closes the current connection, with any open transaction. */
  end(): void {
    this.#current?.release(true);
    this.#current = null;
    this.#tables = 0;
  }
}
