/** Pool connections for Kysely, each under the tenant of its query and with the limits of its kind of work. */
import { type Dialect, type Driver, PostgresAdapter, PostgresIntrospector } from 'kysely';
import type pg from 'pg';
import { ConnectionQueue } from './connection-queue.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';
import type { SqlPool } from './pool.ts';
import { QueryCompiler } from './query-compiler.ts';
import { type SessionConnection, StatementNames } from './session-driver.ts';
import { currentKind, type StatementLimits } from './work-kind.ts';

/** A class of session connections. */
export type ConnectionClass = new (client: pg.PoolClient, names: StatementNames) => SessionConnection;

/** Provides pool connections in the application's role and under the requested tenant. */
export class SessionPool {
  readonly #pool: Pick<SqlPool, 'kind' | 'size' | 'connect'>;
  readonly #queue: ConnectionQueue;
  readonly #limits: StatementLimits | null;
  readonly #connectionClass: ConnectionClass;
  readonly #connections = new WeakMap<pg.PoolClient, SessionConnection>();
  readonly #names = new StatementNames();

  /** `limits`: null for the server's statement limit. */
  constructor(
    pool: Pick<SqlPool, 'kind' | 'size' | 'connect'>,
    connectionClass: ConnectionClass,
    limits: StatementLimits | null,
  ) {
    this.#pool = pool;
    this.#queue = new ConnectionQueue(pool);
    this.#connectionClass = connectionClass;
    // The embedded database has no timers; it ignores the setting.
    this.#limits = pool.kind === 'server' ? limits : null;
  }

  /**
   * Returns a connection under `tenant`; null: the tenant does not matter. Each connection of the pool has one object,
   * because Kysely keeps a record of every new object.
   */
  async connect(tenant: string | null): Promise<SessionConnection> {
    const { client, release } = await this.#lend(tenant);
    const connection = this.#connections.get(client) ?? new this.#connectionClass(client, this.#names);
    this.#connections.set(client, connection);
    try {
      await connection.enter(tenant, this.#limits?.[currentKind()] ?? null, release);
      return connection;
    } catch (error) {
      client.release(true);
      release();
      throw error;
    }
  }

  /** Runs `work` on a connection without role or tenant, and closes it. @throws NoConnectionError */
  async lendBare<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { client, release } = await this.#lend(null);
    try {
      return await work(client);
    } finally {
      client.release(true);
      release();
    }
  }

  async #lend(tenant: string | null) {
    const release = await this.#queue.enter(tenant);
    try {
      return { client: await this.#pool.connect(), release };
    } catch (error) {
      release();
      throw new DatabaseUnavailableError(error);
    }
  }
}

/** Returns a Kysely dialect with connections under `tenant`; null: for look-ups (`LOOK_UPS`). */
export function sessionDialect(sessions: SessionPool, tenant: string | null): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: () => sessions.connect(tenant),
    beginTransaction: (connection: SessionConnection, { isolationLevel }) =>
      connection.begin(isolationLevel === undefined ? 'begin' : `begin isolation level ${isolationLevel}`),
    commitTransaction: (connection: SessionConnection) => connection.end('commit'),
    // Report the earlier error. A connection whose rollback fails is closed.
    rollbackTransaction: (connection: SessionConnection) => connection.end('rollback').catch(() => {}),
    releaseConnection: async (connection: SessionConnection) => connection.release(),
    // The code that opened the pool closes it: many instances share it.
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new QueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
