/**
 * A database whose tenants are spread over the nodes of a Citus cluster. Being sharded is a state of the database: what
 * belongs to a tenant is distributed by `tenant_id` in one group, so that all of a tenant's rows are on one node; the
 * few tables that belong to nobody are on every node.
 */
import { DatabaseError } from './database-error.ts';

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Older ones refuse what is needed here, or were never tried. */
const LEAST_CITUS = 13;

/** The table that the others are placed with: every tenant has rows in it. */
const FIRST_TABLE = 'business_units';

/**
 * Tables on every node. Few are written to at all after the start, for a write of them goes to all nodes at once.
 * `tenants` comes last: `users` and it are what distributed tables refer to.
 */
const ON_EVERY_NODE = ['schema_migrations', 'schema_functions', 'secret_keys', 'users'];

/**
 * Puts a table under tenant isolation and on the nodes of its tenants: what migrations call `tessera_isolate` for does both
 * from now on. Nodes refuse policies with sub-selects, and work under a tenant only within a transaction that says so:
 * where none does, the setting is unknown there, and the statement fails.
 */
const ISOLATE_AND_DISTRIBUTE = `
  create or replace function tessera_isolate(target regclass) returns void language plpgsql as $$ begin
    if target = 'tenants'::regclass then
      perform create_reference_table(target);
    else
      perform create_distributed_table(target, 'tenant_id', colocate_with :=
        case when target = '${FIRST_TABLE}'::regclass then 'none' else '${FIRST_TABLE}' end);
    end if;
    execute format('alter table %s enable row level security', target);
    execute format('create policy tenant_isolation on %s using (
      current_setting(''tessera.tenant'') in (tenant_id::text, ''*''))', target);
  end $$`;

/** Whether the database is sharded. */
export async function isSharded(client: SqlExecutor): Promise<boolean> {
  const { rows } = await client.query(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus",
  );
  if (rows[0]?.has_citus !== true) return false;
  const found = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.${FIRST_TABLE}')`,
  );
  return found.rows.length > 0;
}

/**
 * Spreads the tenants of a migrated database over the nodes that its cluster has. False when they are spread already.
 * To be called as the owner of the tables, while no process works on the database.
 * @throws DatabaseError when the database has no Citus, too old a one, or other sessions.
 */
export async function shard(client: SqlExecutor): Promise<boolean> {
  await requireCitus(client);
  if (await isSharded(client)) return false;
  await requireNobodyElse(client);
  await client.query('begin');
  try {
    // Partitions are made and filled one after the other: foreign keys lead from one to the next.
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'");
    // The nodes talk to each other as the role of the request.
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
      'it has no Citus. Say "create extension citus" in it on every node, and add the nodes (docs/scaling.md)',
    );
  if (Number.parseInt(String(version), 10) < LEAST_CITUS)
    throw new DatabaseError(`it has Citus ${version}; ${LEAST_CITUS} or newer is needed`);
}

/** A process that was started before would go on as on one server, and find nothing. */
async function requireNobodyElse(client: SqlExecutor): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name not like 'citus%'`);
  const sessions = Number(rows[0]?.sessions ?? 0);
  if (sessions > 0)
    throw new DatabaseError(
      `${sessions} other sessions work on it. Stop every process of Tessera first, and start them anew afterwards`,
    );
}

async function distributeTables(client: SqlExecutor): Promise<void> {
  const isolated = await isolatedTables(client);
  const foreignKeys = await client.query(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`);
  for (const { table, name } of foreignKeys.rows)
    await client.query(`alter table ${table} drop constraint "${name}"`);
  for (const table of ON_EVERY_NODE) await client.query(`select create_reference_table('${table}')`);
  await client.query(ISOLATE_AND_DISTRIBUTE);
  for (const table of isolated) {
    await client.query(`drop policy tenant_isolation on ${table}`);
    await client.query(`select tessera_isolate('${table}')`);
  }
  for (const { table, name, definition } of foreignKeys.rows)
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`);
}

/** The tables of tenants, in an order in which they can be distributed. */
async function isolatedTables(client: SqlExecutor): Promise<string[]> {
  const { rows } = await client.query(`
    select c.oid::regclass::text as table from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenant_isolation' and c.relnamespace = 'public'::regnamespace
    order by c.relname <> 'tenants', c.relname <> '${FIRST_TABLE}', c.oid`);
  return rows.map(({ table }) => String(table));
}
