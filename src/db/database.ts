import { Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { validate as isUuid } from 'uuid';
import { APP_ROLE } from './app-role.ts';
import { coordinatorOf } from './coordinator.ts';
import { EveryNode } from './every-node.ts';
import { EVERY_TENANT, EveryTenantDb, type EveryTenantUse, type LookUp } from './every-tenant.ts';
import type { OwnerSession } from './owner-uses.ts';
import { openServerPool, type SqlPool } from './pool.ts';
import { SessionConnection } from './session-driver.ts';
import { SessionPool, sessionDialect } from './session-pool.ts';
import { ShardedConnection } from './sharded-connection.ts';
import { isOtherNode, isSharded } from './sharding.ts';
import type { Tables } from './tables.ts';
import type { StatementLimits } from './work-kind.ts';

/** Reserved connections. */
const RESERVED = 1;
/** Reserved connections to a node of a cluster, where a statement for one tenant may wait for another node. */
const RESERVED_ON_CLUSTER = 4;

/** Access to rows through one node of a cluster, or through the only server. */
export interface Rows {
  /** Returns access to the rows of one tenant; row-level security hides others. @throws TypeError for an invalid id. */
  forTenant(tenantId: string): Kysely<Tables>;
  /** Returns access to the rows of all tenants, for one of the listed uses. */
  everyTenant(use: EveryTenantUse): EveryTenantDb;
}

/** Access to the rows of one tenant, or of every tenant. Features get it only wrapped in a `ScopedDb`. */
export interface Database extends Rows {
  readonly kind: SqlPool['kind'];
  /** True if tenants are spread over the nodes of a cluster. */
  readonly isSharded: boolean;
  /**
   * True if tables of entities are apart from the others, as on a cluster: no statement can write both, a commit
   * becomes visible in one after the other, and their changes cannot be prepared beside other work.
   */
  readonly keepsEntitiesApart: boolean;
  /** Access on connections that no other work occupies, for short statements that must not wait for one. */
  readonly reserved: Rows;
  /** Access to the rows where tables can be changed: on a cluster through its coordinator. */
  readonly forTableChanges: Rows;
  /** Runs one of the listed look-ups without setting a tenant, which saves a round trip. */
  lookUp<Row>(use: LookUp, statement: RawBuilder<Row>): Promise<QueryResult<Row>>;
  /** Runs `work` on a connection as the owner of the tables, outside any transaction, and closes the connection. */
  ownerSession<T>(work: (run: OwnerSession) => Promise<T>): Promise<T>;
  /**
   * Vacuums and analyses all tables as their owner. A server does this by itself; the embedded database does not.
   */
  vacuum(): Promise<void>;
  /** Closes connections that do not belong to the pool. */
  close(): Promise<void>;
}

/** Opens the reserved connections to a server. Null for the embedded database, which has only one connection. */
function reservedPool({ url }: SqlPool, sharded: boolean): SqlPool | null {
  if (url === null) return null;
  return openServerPool(url, sharded ? RESERVED_ON_CLUSTER : RESERVED);
}

/** Runs a statement as the owner of the tables. */
async function asOwner(sqlPool: SqlPool, statement: string): Promise<void> {
  const client = await sqlPool.pool.connect();
  try {
    await client.query('reset role');
    await client.query(statement);
    await client.query(`set role ${APP_ROLE}`);
    client.release();
  } catch (error) {
    // Close the connection, because its role is unknown.
    client.release(true);
    throw error;
  }
}

/** Options of `createDatabase`. */
export interface DatabaseOptions {
  /** Called with the error of an unavailable node of a cluster. */
  readonly onNodeUnavailable?: (error: unknown) => void;
  /** Time limits of statements on a server. Default: the server's own limit. */
  readonly limits?: StatementLimits;
}

/** Wraps an opened, migrated pool. */
export async function createDatabase(
  sqlPool: SqlPool,
  { onNodeUnavailable = () => {}, limits }: DatabaseOptions = {},
): Promise<Database> {
  const sharded = sqlPool.kind === 'server' && (await isSharded(sqlPool.pool));
  const isOtherNodeOfCluster = sharded && (await isOtherNode(sqlPool.pool));
  const coordinator = isOtherNodeOfCluster ? coordinatorOf(sqlPool) : null;
  const sessionsOf = (connections: Pick<SqlPool, 'kind' | 'size' | 'connect'>) =>
    // On a cluster, changing the limit per statement costs a round trip; operators set it for the role instead.
    new SessionPool(
      connections,
      sharded ? ShardedConnection : SessionConnection,
      sharded ? null : (limits ?? null),
    );
  const sessions = sessionsOf(sqlPool);
  const rows = rowsOf(sessions, sharded, onNodeUnavailable);
  const reserved = reservedPool(sqlPool, sharded);
  const anyTenant = builderFor(sessions, null);
  return {
    kind: sqlPool.kind,
    isSharded: sharded,
    keepsEntitiesApart: sharded,
    ...rows,
    reserved: reserved === null ? rows : rowsOf(sessionsOf(reserved), sharded, onNodeUnavailable),
    forTableChanges:
      coordinator === null ? rows : rowsOf(sessionsOf(coordinator), sharded, onNodeUnavailable),
    lookUp: (_use, statement) => statement.execute(anyTenant),
    // The connection is closed afterwards, so its role and settings do not matter.
    ownerSession: (work) =>
      sessions.lendBare(async (client) => {
        try {
          // Long changes of tables set a limit of their own.
          await client.query('reset role; set statement_timeout to 0');
          return await work(async <Row>(statement: RawBuilder<Row>) => {
            const { sql: text, parameters } = statement.compile(anyTenant);
            return (await client.query<Row & pg.QueryResultRow>(text, [...parameters])).rows;
          });
        } finally {
          // Release the locks now: the server may notice the closed connection later. A lost connection has no locks.
          await client.query('select pg_advisory_unlock_all()').catch(() => {});
        }
      }),
    async vacuum() {
      const { rows } = await sqlPool.pool.query<{ name: string }>(
        "select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p' order by oid",
      );
      // Vacuum one table at a time, so that requests can use the only connection in between.
      for (const { name } of rows) await asOwner(sqlPool, `vacuum (analyze) ${name}`);
    },
    async close() {
      await coordinator?.close();
      await reserved?.close();
    },
  };
}

function rowsOf(sessions: SessionPool, sharded: boolean, onNodeUnavailable: (error: unknown) => void): Rows {
  const everyTenantQuery = builderFor(sessions, EVERY_TENANT);
  const cluster = {
    everyNode: new EveryNode((statement) => statement.execute(everyTenantQuery), onNodeUnavailable),
    ofTenant: (tenantId: string) =>
      new EveryTenantDb(builderFor(sessions, tenantId), { tenantId, cluster: null }),
  };
  const everyTenant = new EveryTenantDb(everyTenantQuery, {
    tenantId: null,
    cluster: sharded ? cluster : null,
  });
  return {
    forTenant(tenantId) {
      if (!isUuid(tenantId)) throw new TypeError('The tenant id must be a UUID.');
      return builderFor(sessions, tenantId);
    },
    everyTenant: () => everyTenant,
  };
}

function builderFor(sessions: SessionPool, tenant: string | null): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: sessionDialect(sessions, tenant) });
}
