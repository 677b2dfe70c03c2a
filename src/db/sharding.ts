/**
 * A database whose tenants are spread over the nodes of a Citus cluster. Sharding is a state of the database: tables of
 * tenants are distributed by `tenant_id` in one colocation group, so all rows of a tenant are on one node. The few
 * other tables are reference tables on every node.
 */
import { DatabaseError } from './database-error.ts';
import { isTenantSchema } from './tenant-schemas.ts';

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Oldest supported Citus version. */
const MIN_CITUS = 13;

/** The distributed table with which all others are colocated. */
const FIRST_TABLE = 'business_units';

/**
 * Reference tables. They are written rarely, because a write goes to all nodes.
 * `tenants` is added last: distributed tables refer to it and to `users`.
 */
const REFERENCE_TABLES = ['schema_migrations', 'schema_functions', 'secret_keys', 'users'];

/**
 * Redefines `tessera_isolate`, which migrations call: from now on it isolates and distributes a table. Nodes reject
 * policies with sub-selects, and see the tenant only in a transaction that sets it: otherwise the setting is unknown
 * and the statement fails.
 */
const ISOLATE_AND_DISTRIBUTE = `
  create or replace function tessera_isolate(target regclass) returns void language plpgsql as $$
  declare
    -- Citus recreates a table that refers to a reference table, so its oid changes.
    name constant text = target::text;
  begin
    if name = 'tenants' then
      perform create_reference_table(name::regclass);
    else
      perform create_distributed_table(name::regclass, 'tenant_id', colocate_with :=
        case when name = '${FIRST_TABLE}' then 'none' else '${FIRST_TABLE}' end);
    end if;
    execute format('alter table %s enable row level security', name);
    execute format('create policy tenant_isolation on %s using (
      current_setting(''tessera.tenant'') in (tenant_id::text, ''*''))', name);
  end $$`;

/** Distributes functions that were created before Citus was added; later ones are distributed at creation. */
const FUNCTIONS_TO_ALL_NODES = `
  select create_distributed_function(p.oid::regprocedure) from pg_proc p
  where p.pronamespace = 'public'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    and not exists (
      select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`;

/** Returns true if the database is sharded. */
export async function isSharded(client: SqlExecutor): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const found = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.${FIRST_TABLE}')`,
  );
  return found.rows.length > 0;
}

/** Size of a sharded database. */
export interface ClusterSize {
  /** Number of distributed tables. */
  readonly tables: number;
  /** Number of nodes with rows of tenants. */
  readonly nodes: number;
}

/** Returns the size of a sharded database; null if it is not sharded. */
export async function readClusterSize(client: SqlExecutor): Promise<ClusterSize | null> {
  if (!(await isSharded(client))) return null;
  const { rows } = await client.query(`
    select count(distinct s.logicalrelid)::int as tables, count(distinct p.groupid)::int as nodes
    from pg_dist_partition t join pg_dist_shard s using (logicalrelid) join pg_dist_placement p using (shardid)
    where t.partmethod = 'h'`);
  return { tables: Number(rows[0]?.tables), nodes: Number(rows[0]?.nodes) };
}

/**
 * Returns true if `client` is connected to a node of a cluster that is not its coordinator. Processes can work through
 * any node, but tables are changed only through the coordinator.
 */
export async function isOtherNode(client: SqlExecutor): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query('select groupid <> 0 as is_other from pg_dist_local_group');
  return rows[0]?.is_other === true;
}

async function hasCitus(client: SqlExecutor): Promise<boolean> {
  const { rows } = await client.query(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus",
  );
  return rows[0]?.has_citus === true;
}

/**
 * Spreads the tenants of a migrated database over the nodes of its cluster. Returns false if they are spread already.
 * Must run as the owner of the tables, while no process uses the database.
 * @throws DatabaseError if the database has no Citus, an old version, no nodes, or other sessions.
 */
export async function shard(client: SqlExecutor): Promise<boolean> {
  await requireCitus(client);
  if (await isSharded(client)) return false;
  await requireNodes(client);
  await requireNoOtherSessions(client);
  await client.query('begin');
  try {
    // Distribute partitions one after the other, because foreign keys connect them.
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
    // Nodes connect to each other with the role of the request.
    await client.query('alter role tessera_app login');
    await distributeTables(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return true;
}

async function requireCitus(client: SqlExecutor): Promise<void> {
  const { rows } = await client.query("select extversion from pg_extension where extname = 'citus'");
  const version = rows[0]?.extversion;
  if (version === undefined)
    throw new DatabaseError(
      'the database has no Citus. Run "create extension citus" in it on every node, and add the nodes (docs/operating.md, "A cluster")',
    );
  if (Number.parseInt(String(version), 10) < MIN_CITUS)
    throw new DatabaseError(`the database has Citus ${version}; ${MIN_CITUS} or newer is needed`);
}

async function requireNodes(client: SqlExecutor): Promise<void> {
  if (await isOtherNode(client))
    throw new DatabaseError(
      'it points to a node of a cluster other than the coordinator. Use the URL of the coordinator',
    );
  const { rows } = await client.query(`
    select coalesce(bool_or(groupid = 0), false) as has_coordinator, coalesce(bool_or(shouldhaveshards), false) as has_nodes
    from pg_dist_node where isactive and noderole = 'primary'`);
  // Reference tables are also read on the coordinator.
  if (rows[0]?.has_coordinator !== true || rows[0].has_nodes !== true)
    throw new DatabaseError(
      'the cluster has no nodes yet. Run citus_set_coordinator_host and citus_add_node in the database (docs/operating.md, "A cluster")',
    );
}

/** Rejects other sessions: a running process would continue as on one server, and find no rows. */
async function requireNoOtherSessions(client: SqlExecutor): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name not like 'citus%'`);
  const sessions = Number(rows[0]?.sessions ?? 0);
  if (sessions > 0)
    throw new DatabaseError(
      `${sessions} other sessions use the database. Stop every process of Tessera first, and start them again afterwards`,
    );
}

async function distributeTables(client: SqlExecutor): Promise<void> {
  const isolated = await isolatedTables(client);
  const foreignKeys = await client.query(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`);
  for (const { table, name } of foreignKeys.rows)
    await client.query(`alter table ${table} drop constraint "${name}"`);
  for (const table of REFERENCE_TABLES) await client.query(`select create_reference_table('${table}')`);
  await client.query(ISOLATE_AND_DISTRIBUTE);
  await client.query(FUNCTIONS_TO_ALL_NODES);
  for (const table of isolated) {
    await client.query(`drop policy tenant_isolation on ${table}`);
    await client.query(`select tessera_isolate('${table}')`);
  }
  // Delete the local copies, or rows would stay on the coordinator for ever, even after their deletion.
  for (const table of [...REFERENCE_TABLES, ...isolated])
    await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
  for (const { table, name, definition } of foreignKeys.rows)
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`);
  await distributeRecords(client);
}

/** Distributes the schemas of tenants; each becomes one shard. */
async function distributeRecords(client: SqlExecutor): Promise<void> {
  const { rows } = await client.query(`
    select n.nspname as schema, array_agg(c.oid::regclass::text) as tables
    from pg_namespace n join pg_class c on c.relnamespace = n.oid
    where ${isTenantSchema('n.nspname')} and c.relkind = 'r' group by n.nspname`);
  for (const { schema, tables } of rows) {
    await client.query('select tessera_isolate_records(name::regclass) from unnest($1::text[]) as name', [
      tables,
    ]);
    await client.query('select citus_schema_distribute($1::text::regnamespace)', [schema]);
    await client.query(
      'select truncate_local_data_after_distributing_table(name::regclass) from unnest($1::text[]) as name',
      [tables],
    );
  }
}

/** Returns the tables of tenants, in an order in which they can be distributed. */
async function isolatedTables(client: SqlExecutor): Promise<string[]> {
  const { rows } = await client.query(`
    select c.oid::regclass::text as table from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenant_isolation' and c.relnamespace = 'public'::regnamespace
    order by c.relname <> 'tenants', c.relname <> '${FIRST_TABLE}', c.oid`);
  return rows.map(({ table }) => String(table));
}
