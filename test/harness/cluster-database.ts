/**
 * Databases on the Citus cluster with the coordinator TEST_CLUSTER_URL. Creating one takes seconds, and Citus cannot
 * copy databases, so they are reused: a process locks the name of a database, empties it and uses it. The locks belong
 * to a session on the coordinator, so that a killed process releases its databases.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/db/migrator.ts';
import { openServerPool } from '../../src/db/pool.ts';
import { readSchemaFiles } from '../../src/db/schema-files.ts';
import { isTenantSchema } from '../../src/db/tenant-schemas.ts';
import { databaseUrl, joinNodes, migrateAndShard, nodesOf, runOn, withRolesLock } from './cluster-nodes.ts';
import { eventually } from './poll.ts';
import { ROOT } from './repository.ts';

const PREFIX = 'tessera_cluster_';
/** Databases with another schema are removed if unused for this long, so that those of other checkouts in use stay. */
const KEPT_MINUTES = 30;
/** Condition for sessions that use a database, without those of Citus itself. */
const SESSIONS = "datname = $1 and backend_type = 'client backend' and application_name not like 'citus%'";

/** A database for exclusive use until it is released. */
export interface ClusterDatabase {
  readonly url: string;
  giveBack(): Promise<void>;
}

/** Locks and returns an empty, migrated, sharded database of the cluster at `coordinator`. */
export async function takeClusterDatabase(coordinator: string): Promise<ClusterDatabase> {
  const nodes = nodesOf(coordinator);
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  try {
    const prefix = `${PREFIX}${await schemaHash()}_`;
    for (let number = 1; ; number += 1) {
      const name = `${prefix}${number}`;
      if (!(await isTaken(client, name))) continue;
      if (!(await makeReady(client, nodes, name))) await make(client, nodes, name);
      return { url: refusing(databaseUrl(coordinator, name)), giveBack: () => giveBack(client, name) };
    }
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Returns a URL with which the cluster refuses statements of one tenant that read more than one shard: these would not
 * become faster with more nodes.
 */
function refusing(url: string): string {
  const refused = new URL(url);
  refused.searchParams.set('options', '-c citus.multi_task_query_log_level=error');
  return refused.href;
}

/**
 * Locks a name. Returns false if another session has the lock, or uses the database without it, like a Tessera process
 * that has outlived its test.
 */
async function isTaken(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as taken', [name]);
  if (rows[0]?.taken !== true) return false;
  if (!(await hasSessions(client, name))) return true;
  await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  return false;
}

/** True if a session other than those of Citus uses the database. */
async function hasSessions(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(`select from pg_stat_activity where ${SESSIONS}`, [name]);
  return rows.length > 0;
}

async function giveBack(client: pg.Client, name: string): Promise<void> {
  // Sessions of a killed process may still run its last statement.
  await eventually('the last session to end', async () => {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${SESSIONS}`, [name]);
    return !(await hasSessions(client, name));
  });
  await client.end();
}

/** Empties an existing database. Returns false if it is missing, incomplete or has a changed schema. */
async function makeReady(client: pg.Client, nodes: readonly string[], name: string): Promise<boolean> {
  const mark = await readMark(client, name);
  if (mark === null) return false;
  const pool = openServerPool(databaseUrl(nodes[0] ?? '', name));
  try {
    await pool.pool.query(DROP_RECORDS);
    await pool.pool.query(TRUNCATE);
    await migrate(pool);
    if ((await fingerprint(pool.pool)) !== mark) return false;
    await writeMark(client, name, mark);
    return true;
  } catch {
    return false;
  } finally {
    await pool.close();
  }
}

async function make(client: pg.Client, nodes: readonly string[], name: string): Promise<void> {
  const urls = nodes.map((node) => databaseUrl(node, name));
  await withRolesLock(nodes[0] ?? '', async () => {
    await dropOld(client, nodes);
    await drop(nodes, name);
    for (const node of nodes) await runOn(node, `create database ${name}`);
    await joinNodes(urls);
    await migrateAndShard(urls[0] ?? '');
    const pool = openServerPool(urls[0] ?? '');
    try {
      await writeMark(client, name, await fingerprint(pool.pool));
    } finally {
      await pool.close();
    }
  });
}

/** Removes unused databases with another schema. */
async function dropOld(client: pg.Client, nodes: readonly string[]): Promise<void> {
  const prefix = `${PREFIX}${await schemaHash()}_`;
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d left join pg_shdescription c on c.objoid = d.oid
     where starts_with(d.datname, $1) and not starts_with(d.datname, $2)
       and coalesce(split_part(c.description, ' ', 2)::timestamptz < now() - make_interval(mins => $3), true)`,
    [PREFIX, prefix, KEPT_MINUTES],
  );
  for (const { name } of rows) {
    if (!(await isTaken(client, name))) continue;
    await drop(nodes, name);
    await client.query('select pg_advisory_unlock(hashtext($1))', [name]);
  }
}

async function drop(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await runOn(node, `drop database if exists ${name} with (force)`);
}

/** Marks a complete database with its fingerprint and the time of its last use. */
async function readMark(client: pg.Client, name: string): Promise<string | null> {
  const { rows } = await client.query(
    "select shobj_description(oid, 'pg_database') as mark from pg_database where datname = $1",
    [name],
  );
  return rows[0]?.mark?.split(' ')[0] ?? null;
}

async function writeMark(client: pg.Client, name: string, mark: string): Promise<void> {
  await client.query(`comment on database ${name} is '${mark} ${new Date().toISOString()}'`);
}

const DROP_RECORDS = `
  do $$ declare name text; begin
    for name in select n.nspname from pg_namespace n where ${isTenantSchema('n.nspname')} loop
      execute format('drop schema %I cascade', name);
    end loop;
  end $$`;

const TRUNCATE = `
  do $$ begin
    execute (select 'truncate ' || string_agg(logicalrelid::text, ', ') from pg_dist_partition
      where logicalrelid::text not in ('schema_migrations', 'schema_functions'));
  end $$`;

/**
 * Fingerprint that differs if a test has changed tables, rights or the location of shards. The migrator repairs SQL
 * functions.
 */
async function fingerprint(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    with relations as (select * from pg_class where relnamespace = 'public'::regnamespace),
    lines as (
      select concat_ws(' ', oid, relacl, relrowsecurity) as line from relations
      union all select concat_ws(' ', attrelid, attname, atttypid, attisdropped) from pg_attribute
        where attrelid in (select oid from relations)
      union all select concat_ws(' ', tableoid, oid) from pg_trigger where tgrelid in (select oid from relations)
      union all select concat_ws(' ', tableoid, oid) from pg_policy where polrelid in (select oid from relations)
      union all select concat_ws(' ', tableoid, oid) from pg_constraint where conrelid in (select oid from relations)
      union all select concat_ws(' ', nspname, oid) from pg_namespace where nspname not like 'pg_%temp%'
      union all select concat_ws(' ', 'placement', shardid, groupid) from pg_dist_placement)
    select md5(string_agg(line, ',' order by line)) as print from lines`);
  return rows[0]?.print;
}

/** Hash of everything a database is made from, except SQL functions, which the migrator replaces in place. */
async function schemaHash(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(import.meta.filename));
  for (const path of ['test/harness/cluster-nodes.ts', 'src/db/sharding.ts'])
    hash.update(await readFile(join(ROOT, path)));
  const { migrations } = await readSchemaFiles();
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 12);
}
