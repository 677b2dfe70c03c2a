/** Resource usage of databases on this machine: CPU time and write-ahead log of each node, bytes of each table. */
import pg from 'pg';
import type { BenchDatabase } from './bench-database.ts';
import { familySeconds, parentOf } from './processor-time.ts';

/** Usage of one server so far. */
export interface NodeUsage {
  /** The server's port. */
  readonly name: string;
  /** CPU time of all processes of the server, for all databases. */
  readonly cpuSeconds: number;
  /** Bytes of write-ahead log written. */
  readonly logBytes: number;
}

/** Usage of a database so far. */
export interface DatabaseUsage {
  /** The server, or the nodes of a cluster, with the coordinator first. */
  readonly nodes: readonly NodeUsage[];
  /** Bytes of each table with its indexes, on all nodes. */
  readonly tables: ReadonlyMap<string, number>;
  /** Statements that the coordinator sent to one shard, and to several; null on one server. */
  readonly statements: { readonly toOne: number; readonly toSeveral: number } | null;
}

/** Reads the usage until it is closed. */
export interface DatabaseMeter {
  /** `edge` is the end of the measurement at which this call happens, so that the call itself is not measured. */
  read(edge: 'begin' | 'end'): Promise<DatabaseUsage>;
  close(): Promise<void>;
}

interface Node {
  readonly name: string;
  readonly client: pg.Client;
  readonly postmaster: number;
}

/** Opens a meter of a server's or a cluster's database. @throws Error if a server is not on this machine. */
export async function openMeter({ kind, env }: BenchDatabase): Promise<DatabaseMeter> {
  const isCluster = kind === 'cluster';
  const nodes = [await openNode(env.DATABASE_URL ?? '')];
  const [first] = nodes;
  if (!first) throw new Error('No server was found.');
  if (isCluster) {
    const { rows } = await first.client.query(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by groupid',
    );
    for (const { host, port } of rows) {
      const url = new URL(env.DATABASE_URL ?? '');
      url.hostname = host;
      url.port = String(port);
      nodes.push(await openNode(url.href));
    }
  }
  const readTables = () => tableBytes(first.client, isCluster);
  const readStatements = () => (isCluster ? statementCounts(first.client) : null);
  const readNodes = () => Promise.all(nodes.map(readNodeUsage));
  return {
    async read(edge) {
      if (edge === 'end') {
        const usage = { nodes: await readNodes(), statements: await readStatements() };
        return { ...usage, tables: await readTables() };
      }
      const tables = await readTables();
      return { tables, statements: await readStatements(), nodes: await readNodes() };
    },
    async close() {
      await Promise.all(nodes.map(({ client }) => client.end()));
    },
  };
}

async function openNode(url: string): Promise<Node> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Reading table sizes queries all nodes.
  await client.query('set citus.multi_task_query_log_level = off');
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const parent = await parentOf(Number(rows[0]?.pid)).catch(() => null);
  if (parent?.name !== 'postgres')
    throw new Error(`The server at ${url} is not on this machine, so its processor time cannot be read.`);
  return { name: new URL(url).port || '5432', client, postmaster: parent.pid };
}

async function readNodeUsage({ name, client, postmaster }: Node): Promise<NodeUsage> {
  const { rows } = await client.query("select pg_current_wal_lsn() - '0/0' as bytes");
  return { name, cpuSeconds: await familySeconds(postmaster), logBytes: Number(rows[0]?.bytes) };
}

async function tableBytes(client: pg.Client, isCluster: boolean): Promise<Map<string, number>> {
  const { rows } = await client.query(
    isCluster
      ? `select logicalrelid::text as name, citus_total_relation_size(logicalrelid) as bytes
         from pg_dist_partition where partmethod = 'h'`
      : `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
         where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

async function statementCounts(client: pg.Client): Promise<{ toOne: number; toSeveral: number }> {
  const { rows } = await client.query(`
    select query_execution_single_shard as one, query_execution_multi_shard as several
    from citus_stat_counters where name = current_database()`);
  return { toOne: Number(rows[0]?.one), toSeveral: Number(rows[0]?.several) };
}
