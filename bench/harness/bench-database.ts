/** Databases for benchmarks: empty and migrated, with access for the owner to fill them. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { openEmbeddedPool, openServerPool, type SqlPool } from '../../src/db/pool.ts';
import { createTestDatabase } from '../../test/harness/test-database.ts';
import type { DatabaseKind } from './options.ts';

const SERVER = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
/** The coordinator of the cluster. */
const CLUSTER = process.env.TEST_CLUSTER_URL || 'postgres://postgres@127.0.0.1:5501/postgres';

/** A database, and the environment variables with which a process connects to it. */
export interface BenchDatabase {
  readonly kind: DatabaseKind;
  readonly env: Readonly<Record<string, string>>;
  /** Runs SQL as the owner, without tenant isolation. No process may have the embedded database open. */
  asOwner<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/**
 * Creates an empty, migrated database. TEST_DATABASE_URL is the server, TEST_CLUSTER_URL the coordinator of the
 * cluster.
 */
export async function createBenchDatabase(kind: DatabaseKind): Promise<BenchDatabase> {
  delete process.env.TEST_DATABASE_URL;
  delete process.env.TEST_CLUSTER_URL;
  if (kind === 'server') process.env.TEST_DATABASE_URL = SERVER;
  if (kind === 'cluster') process.env.TEST_CLUSTER_URL = CLUSTER;
  const database = await createTestDatabase();
  const env = {
    ...database.env,
    ADMIN_TOKEN: 'bench-admin-token',
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return {
    kind,
    env,
    async asOwner(work) {
      const sqlPool = await openPool(env);
      try {
        const client = await sqlPool.pool.connect();
        try {
          // Filling and counting tables queries all nodes. Without Citus the setting has no effect.
          await client.query('set citus.multi_task_query_log_level = off');
          return await work(client);
        } finally {
          client.release();
        }
      } finally {
        await sqlPool.close();
      }
    },
    remove: () => database.remove(),
  };
}

/** Opens the database of `env` with the same number of connections and the same types as Tessera. */
export function openPool(env: Readonly<Record<string, string | undefined>>): Promise<SqlPool> | SqlPool {
  return env.DATABASE_URL ? openServerPool(env.DATABASE_URL) : openEmbeddedPool(env.DATA_DIR ?? '');
}
