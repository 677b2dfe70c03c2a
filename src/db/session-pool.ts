/** Pool connections for Kysely: each under the tenant of its query, in the limits of its kind of work. */
import { type Dialect, type Driver, PostgresAdapter, PostgresIntrospector } from 'kysely';
import type pg from 'pg';
import { ConnectionQueue } from './connection-queue.ts';
import { DatabaseAwayError } from './database-away.ts';
import type { SqlPool } from './pool.ts';
import { QueryCompiler } from './query-compiler.ts';
import { type SessionConnection, StatementNames } from './session-driver.ts';
import { currentKind, type StatementLimits } from './work-kind.ts';

/** Makes what works under a tenant of a connection of the pool; `isReplaceable`: the pool makes another when it ends. */
export type ConnectionKind = new (
  client: pg.PoolClient,
  names: StatementNames,
  isReplaceable: boolean,
) => SessionConnection;

/** Hands out pool connections that are in the application's role and under the wanted tenant. */
export class SessionPool {
  readonly #pool: Pick<SqlPool, 'kind' | 'size' | 'connect'>;
  readonly #queue: ConnectionQueue;
  readonly #limits: StatementLimits | null;
  readonly #kind: ConnectionKind;
  readonly #connections = new WeakMap<pg.PoolClient, SessionConnection>();
  readonly #names = new StatementNames();

  /** `limits`: null leaves the limit of statements to the server. */
  constructor(
    pool: Pick<SqlPool, 'kind' | 'size' | 'connect'>,
    kind: ConnectionKind,
    limits: StatementLimits | null,
  ) {
    this.#pool = pool;
    this.#queue = new ConnectionQueue(pool);
    this.#kind = kind;
    // The embedded database has no timers: it takes the setting and never acts on it.
    this.#limits = pool.kind === 'server' ? limits : null;
  }

  /**
   * A connection under `tenant`; null takes it under whichever tenant it last worked for. The same object each time for
   * the same connection: Kysely notes every new one.
   */
  async connect(tenant: string | null): Promise<SessionConnection> {
    const { client, leave } = await this.#lend(tenant);
    const connection =
      this.#connections.get(client) ?? new this.#kind(client, this.#names, this.#pool.kind === 'server');
    this.#connections.set(client, connection);
    try {
      await connection.enter(tenant, this.#limits?.[currentKind()] ?? null, leave);
      return connection;
    } catch (error) {
      client.release(true);
      leave();
      throw error;
    }
  }

  /** Runs `work` on a connection without a role or tenant, which is closed afterwards. @throws NoConnectionError */
  async lendBare<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { client, leave } = await this.#lend(null);
    try {
      return await work(client);
    } finally {
      client.release(true);
      leave();
    }
  }

  async #lend(tenant: string | null) {
    const leave = await this.#queue.enter(tenant);
    try {
      return { client: await this.#pool.connect(), leave };
    } catch (error) {
      leave();
      throw new DatabaseAwayError(error);
    }
  }
}

/** A Kysely dialect whose connections work under `tenant`; null: for functions that run past isolation. */
export function sessionDialect(sessions: SessionPool, tenant: string | null): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: () => sessions.connect(tenant),
    beginTransaction: (connection: SessionConnection, { isolationLevel }) =>
      connection.begin(isolationLevel === undefined ? 'begin' : `begin isolation level ${isolationLevel}`),
    commitTransaction: (connection: SessionConnection) => connection.end('commit'),
    // What has failed before is the reason; a connection on which this fails, too, is not used again.
    rollbackTransaction: (connection: SessionConnection) => connection.end('rollback').catch(() => {}),
    releaseConnection: async (connection: SessionConnection) => connection.release(),
    // The pool belongs to whoever opened it: many instances share it.
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new QueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
