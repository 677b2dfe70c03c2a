/** Nodes of the Citus cluster with the coordinator TEST_CLUSTER_URL, and databases on all of them. */
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/db/migrator.ts';
import { openServerPool } from '../../src/db/pool.ts';
import { shard } from '../../src/db/sharding.ts';

/** Few, because each shard is a table that must be created and emptied. */
const FEW_SHARDS = 4;
/** Name of a lock for changes of roles: roles belong to the whole server, and concurrent changes fail. */
const ROLES_LOCK = 'tessera test cluster';
/** Role that owns tables and may create roles but is not a superuser, as in production. */
const OWNER = 'tessera_test_owner';

/** Returns the nodes, the coordinator first. By default the workers have the two ports after the coordinator's. */
export function nodesOf(coordinator: string): string[] {
  const configured = process.env.TEST_CLUSTER_WORKERS?.split(',');
  const defaults = [1, 2].map((step) => {
    const url = new URL(coordinator);
    url.port = String(Number(url.port || 5432) + step);
    return url.href;
  });
  return [coordinator, ...(configured ?? defaults)];
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a database, one after the other. */
export async function runOn(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs `work`, which changes roles, while no other process changes them. */
export async function withRolesLock<T>(coordinator: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [ROLES_LOCK]);
    return await work();
  } finally {
    await client.end();
  }
}

/** Joins databases of the same name to a cluster, the coordinator's first. Tables get `shards` shards. */
export async function joinNodes(
  [coordinator = '', ...workers]: readonly string[],
  shards = FEW_SHARDS,
): Promise<void> {
  const name = new URL(coordinator).pathname.slice(1);
  await runOn(
    coordinator,
    'create extension citus',
    `alter database ${name} set citus.shard_count = ${shards}`,
    `select citus_set_coordinator_host(${addressOf(coordinator)})`,
  );
  for (const worker of workers) await addToCluster(coordinator, worker);
}

/** Adds a database of the same name as a node of a coordinator's cluster. */
export async function addToCluster(coordinator: string, worker: string): Promise<void> {
  await runOn(worker, 'create extension citus');
  await runOn(coordinator, `select citus_add_node(${addressOf(worker)})`);
}

/** Migrates a coordinator's database and distributes its tables over the nodes. */
export async function migrateAndShard(coordinator: string): Promise<void> {
  const pool = openServerPool(coordinator);
  try {
    await migrate(pool);
    const owner = await pool.connect();
    await owner.query('reset role');
    await shard(owner);
    owner.release();
  } finally {
    await pool.close();
  }
}

function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port || 5432}`;
}

/** An empty database on each node, without Citus; removed after the file's tests. */
export interface EmptyCluster {
  /** URLs for a superuser, the coordinator's first. */
  readonly urls: readonly string[];
  /** URLs for the role that owns the databases. */
  readonly ownerUrls: readonly string[];
}

/** Creates an empty database on every node of the cluster at `coordinator`. */
export async function freshCluster(coordinator: string): Promise<EmptyCluster> {
  const nodes = nodesOf(coordinator);
  const name = `tessera_fresh_${randomUUID().replaceAll('-', '')}`;
  await withRolesLock(coordinator, async () => {
    for (const node of nodes) await runOn(node, CREATE_OWNER);
  });
  after(async () => {
    for (const node of nodes) await runOn(node, `drop database if exists ${name} with (force)`);
  });
  for (const node of nodes) await runOn(node, `create database ${name} owner ${OWNER}`);
  const urls = nodes.map((node) => databaseUrl(node, name));
  const ownerUrls = urls.map((each) => {
    const url = new URL(each);
    url.username = OWNER;
    return url.href;
  });
  return { urls, ownerUrls };
}

const CREATE_OWNER = `
  do $$ begin
    if to_regrole('${OWNER}') is null then create role ${OWNER} login createrole; end if;
  end $$`;
