import { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { APP_ROLE } from './migrator.ts';
import type { SqlPool } from './pool.ts';
import { SessionPool, sessionDialect } from './session-driver.ts';
import type { Tables } from './tables.ts';

/** What the tenant setting holds when the platform itself works across tenants. */
const EVERY_TENANT = '*';
const CACHED_TENANTS = 1000;

/** Access to the rows of one tenant, or of every tenant. Features get it only wrapped in a `ScopedDb`. */
export interface Database {
  readonly kind: SqlPool['kind'];
  /** Rows of one tenant: row-level security hides all others. */
  forTenant(tenantId: string): Kysely<Tables>;
  /** Rows of every tenant: for credentials, ledgers and operators. */
  readonly everyTenant: Kysely<Tables>;
  /** For the database's own look-up functions, which run past isolation before a tenant is known. */
  readonly lookups: Kysely<Tables>;
  /** Plain SQL as the application's role, for the job queue. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /**
   * Clears dead rows and gathers statistics, as the owner of the tables. A server does so by itself; the embedded
   * database never does.
   */
  vacuum(): Promise<void>;
}

/** Runs a statement that takes a role of more rights than the application's. */
async function asOwner(sqlPool: SqlPool, statement: string): Promise<void> {
  const client = await sqlPool.pool.connect();
  try {
    await client.query('reset role');
    await client.query(statement);
    await client.query(`set role ${APP_ROLE}`);
    client.release();
  } catch (error) {
    // Not used again: nobody knows which role it is in.
    client.release(true);
    throw error;
  }
}

/** Wraps an opened, migrated pool. */
export function createDatabase(sqlPool: SqlPool): Database {
  const sessions = new SessionPool(sqlPool.pool);
  const instances = new LRUCache<string, Kysely<Tables>>({ max: CACHED_TENANTS });
  const forTenant = (tenant: string): Kysely<Tables> => {
    let instance = instances.get(tenant);
    if (!instance) {
      instance = new Kysely<Tables>({ dialect: sessionDialect(sessions, tenant) });
      instances.set(tenant, instance);
    }
    return instance;
  };
  return {
    kind: sqlPool.kind,
    forTenant,
    everyTenant: forTenant(EVERY_TENANT),
    lookups: new Kysely<Tables>({ dialect: sessionDialect(sessions, null) }),
    async executeSql(text, values) {
      const client = await sessions.connect(EVERY_TENANT);
      try {
        const result = await client.query(text, values);
        client.release();
        return result;
      } catch (error) {
        // The text may have begun a transaction, which an error leaves open and aborted.
        await client.query('rollback').then(
          () => client.release(),
          () => client.release(true),
        );
        throw error;
      }
    },
    async vacuum() {
      const { rows } = await sqlPool.pool.query<{ name: string }>(
        "select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p' order by oid",
      );
      // One after the other, so that requests have the only connection in between.
      for (const { name } of rows) await asOwner(sqlPool, `vacuum (analyze) ${name}`);
    },
  };
}
