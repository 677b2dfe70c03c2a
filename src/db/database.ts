import { Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { validate as isUuid } from 'uuid';
import { APP_ROLE } from './app-role.ts';
import { coordinatorOf } from './coordinator.ts';
import { EveryNode } from './every-node.ts';
import { EVERY_TENANT, EveryTenantDb, type EveryTenantUse, type LookUp } from './every-tenant.ts';
import type { OwnerSession } from './owner-uses.ts';
import type { SqlPool } from './pool.ts';
import { SessionConnection } from './session-driver.ts';
import { SessionPool, sessionDialect } from './session-pool.ts';
import { ShardedConnection } from './sharded-connection.ts';
import { isOtherNode, isSharded } from './sharding.ts';
import type { Tables } from './tables.ts';
import type { StatementLimits } from './work-kind.ts';

/** Rows, reached through one node of a cluster where there is one. */
export interface Rows {
  /** Rows of one tenant: row-level security hides all others. @throws TypeError when this is no tenant's id. */
  forTenant(tenantId: string): Kysely<Tables>;
  /** Rows of every tenant, for one of the listed uses. */
  everyTenant(use: EveryTenantUse): EveryTenantDb;
}

/** Access to the rows of one tenant, or of every tenant. Features get it only wrapped in a `ScopedDb`. */
export interface Database extends Rows {
  readonly kind: SqlPool['kind'];
  /** Whether tenants are spread over the nodes of a cluster. */
  readonly isSharded: boolean;
  /** The same rows where tables can be changed with them: through the coordinator of a cluster, whichever node this is. */
  readonly whereTablesChange: Rows;
  /** Runs one of the listed look-ups, under whichever tenant: no time is spent on setting one. */
  lookUp<Row>(use: LookUp, statement: RawBuilder<Row>): Promise<QueryResult<Row>>;
  /** Lends a connection as the owner of the tables, outside any transaction. `work` closes it by ending. */
  ownerSession<T>(work: (run: OwnerSession) => Promise<T>): Promise<T>;
  /**
   * Clears dead rows and gathers statistics, as the owner of the tables. A server does so by itself; the embedded
   * database never does.
   */
  vacuum(): Promise<void>;
  /** Ends the connections that it has made beside those of the pool. */
  close(): Promise<void>;
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

/** What a database does beside running statements. */
export interface DatabaseOptions {
  /** Is called with the error of a node of a cluster that does not answer. */
  readonly onNodeAway?: (error: unknown) => void;
  /** How long statements may run on a server; absent: as long as the server lets them. */
  readonly limits?: StatementLimits;
}

/** Wraps an opened, migrated pool. */
export async function createDatabase(
  sqlPool: SqlPool,
  { onNodeAway = () => {}, limits }: DatabaseOptions = {},
): Promise<Database> {
  const sharded = sqlPool.kind === 'server' && (await isSharded(sqlPool.pool));
  const isElsewhere = sharded && (await isOtherNode(sqlPool.pool));
  const coordinator = isElsewhere ? coordinatorOf(sqlPool) : null;
  const sessionsOf = (connections: Pick<SqlPool, 'kind' | 'size' | 'connect'>) =>
    // On a cluster each change of the setting is a round trip of its own: there the role has a limit, if it is to have one.
    new SessionPool(
      connections,
      sharded ? ShardedConnection : SessionConnection,
      sharded ? null : (limits ?? null),
    );
  const sessions = sessionsOf(sqlPool);
  const rows = rowsOf(sessions, sharded, onNodeAway);
  const anyTenant = under(sessions, null);
  return {
    kind: sqlPool.kind,
    isSharded: sharded,
    ...rows,
    whereTablesChange: coordinator === null ? rows : rowsOf(sessionsOf(coordinator), sharded, onNodeAway),
    lookUp: (_use, statement) => statement.execute(anyTenant),
    // With the connection go its role and its settings.
    ownerSession: (work) =>
      sessions.lendBare(async (client) => {
        try {
          // What takes long of a change of tables sets a limit of its own.
          await client.query('reset role; set statement_timeout to 0');
          return await work(async <Row>(statement: RawBuilder<Row>) => {
            const { sql: text, parameters } = statement.compile(anyTenant);
            return (await client.query<Row & pg.QueryResultRow>(text, [...parameters])).rows;
          });
        } finally {
          // The server may notice only later that the connection has ended. One that is lost holds no lock any more.
          await client.query('select pg_advisory_unlock_all()').catch(() => {});
        }
      }),
    async vacuum() {
      const { rows } = await sqlPool.pool.query<{ name: string }>(
        "select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p' order by oid",
      );
      // One after the other, so that requests have the only connection in between.
      for (const { name } of rows) await asOwner(sqlPool, `vacuum (analyze) ${name}`);
    },
    close: async () => coordinator?.close(),
  };
}

function rowsOf(sessions: SessionPool, sharded: boolean, onNodeAway: (error: unknown) => void): Rows {
  const everywhere = under(sessions, EVERY_TENANT);
  const spread = {
    everyNode: new EveryNode((statement) => statement.execute(everywhere), onNodeAway),
    ofTenant: (tenantId: string) => new EveryTenantDb(under(sessions, tenantId), { tenantId, spread: null }),
  };
  const everyTenant = new EveryTenantDb(everywhere, { tenantId: null, spread: sharded ? spread : null });
  return {
    forTenant(tenantId) {
      if (!isUuid(tenantId)) throw new TypeError('A tenant is named by its id.');
      return under(sessions, tenantId);
    },
    everyTenant: () => everyTenant,
  };
}

function under(sessions: SessionPool, tenant: string | null): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: sessionDialect(sessions, tenant) });
}
