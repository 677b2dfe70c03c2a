/**
 * The database role of all requests and jobs; row-level security applies to it. Roles belong to a server, not to a
 * database, so a restored dump may lack the role or its rights. Every start therefore checks them.
 */
import { DatabaseError } from './database-error.ts';
import { isOtherNode } from './sharding.ts';
import { isTenantSchema } from './tenant-schemas.ts';

/** Name of the role. */
export const APP_ROLE = 'tessera_app';

/** Tables of the migrator, which the role cannot access. */
const OWNER_TABLES = ['schema_migrations', 'schema_functions'];

/**
 * Advisory lock for repairs: PostgreSQL rejects concurrent grants on one object. On a cluster, each node has its own
 * locks and rights.
 */
const LOCK_KEY = 7_310_541_203;

interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/**
 * SQL `from` items: tables and views of the public schema, as `c`. It uses `pg_depend`, because `pg_class` has no index
 * by schema, and tenants may have a hundred thousand tables and indexes.
 */
const PUBLIC_TABLES = `pg_depend o join pg_class c on c.oid = o.objid and o.classid = 'pg_class'::regclass
  and o.refclassid = 'pg_namespace'::regclass and o.refobjid = 'public'::regnamespace`;

/**
 * Returns SQL that is true if the role can read and write all tables; `role` is an SQL expression. Of tenant schemas it
 * checks only the usage right. It takes 0.5 ms, and 0.5 ms more per hundred tenant schemas. Objects of extensions, such
 * as the views of Citus, are excluded.
 */
export function hasAllRights(role: string): string {
  const owners = OWNER_TABLES.map((name) => `'${name}'`).join(', ');
  const right = (name: string) => `has_table_privilege(${role}, c.oid, '${name}')`;
  return `not exists (
    select from ${PUBLIC_TABLES}
    where c.relkind in ('r', 'p', 'v') and c.relname not in (${owners})
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      and not (${['select', 'insert', 'update', 'delete'].map(right).join(' and ')}))
    and not exists (
      select from pg_namespace n
      where ${isTenantSchema('n.nspname')} and not has_schema_privilege(${role}, n.oid, 'usage'))`;
}

/**
 * Creates the role and grants its rights if either is missing. Must run as the owner of the tables.
 * @throws DatabaseError if the owner lacks permission; the message tells an administrator what to do.
 */
export async function ensureAppRole(client: SqlExecutor): Promise<void> {
  const { rows } = await client.query(STATE);
  const [state] = rows;
  if (state?.is_owner === false)
    throw new DatabaseError(
      `the role ${state.owner} does not own the tables. Restore the database as that role, or run "reassign owned by ... to ${state.owner}" in it`,
    );
  if (state?.has_role === true && state.is_member === true && state.has_rights === true) return;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    // Grant on this node only: Citus copies tables with their rights to nodes, but views without.
    if (await isOtherNode(client)) await client.query('set local citus.enable_ddl_propagation to off');
    await client.query(REPAIR);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseError(
      `the role ${APP_ROLE} is missing or lacks rights, and ${state?.owner} cannot repair that (${reason}). Ask an administrator to run: create role ${APP_ROLE} nologin; grant ${APP_ROLE} to "${state?.owner}";`,
      { cause },
    );
  }
}

/**
 * Reads whether the role exists, has its rights and can be set, and whether the current user owns the tables. Since
 * PostgreSQL 16 a member may lack the right to `set role`.
 */
const STATE = `
  select current_user as owner, r.oid is not null as has_role,
    coalesce(pg_has_role(current_user, r.oid,
      case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end), false) as is_member,
    coalesce(has_schema_privilege(r.oid, 'public', 'usage'), false)
      and coalesce(${hasAllRights('r.oid')}, false) as has_rights,
    not exists (select from ${PUBLIC_TABLES}
      where c.relkind in ('r', 'p') and not pg_has_role(current_user, c.relowner, 'USAGE')) as is_owner
  from (select to_regrole('${APP_ROLE}')::oid as oid) r`;

/** Creates the role, and grants its rights. */
const REPAIR = `
  do $$ begin
    if to_regrole('${APP_ROLE}') is null then create role ${APP_ROLE} nologin; end if;
    if not pg_has_role(current_user, '${APP_ROLE}',
      case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end) then
      grant ${APP_ROLE} to current_user;
    end if;
  end $$;
  do $$ declare name text; begin
    for name in select n.nspname from pg_namespace n where ${isTenantSchema('n.nspname')} loop
      execute format('grant usage on schema %1$I to ${APP_ROLE};
        grant select, insert, update, delete on all tables in schema %1$I to ${APP_ROLE}', name);
    end loop;
  end $$;
  grant usage on schema public to ${APP_ROLE};
  grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
  revoke all on ${OWNER_TABLES.join(', ')} from ${APP_ROLE};
  alter default privileges in schema public grant select, insert, update, delete on tables to ${APP_ROLE}`;

/**
 * Returns the reason why a start cannot create or use the role, and what an administrator must do; null if it can.
 */
export async function findRoleProblem(client: SqlExecutor): Promise<string | null> {
  const { rows } = await client.query(`
    select current_user::text as owner, me.rolsuper or me.rolcreaterole as may_create,
      exists (select from pg_roles r where r.rolname = '${APP_ROLE}') as has_role,
      exists (select from pg_roles r where r.rolname = '${APP_ROLE}' and pg_has_role(me.oid, r.oid, 'member')) as is_member
    from pg_roles me where me.rolname = current_user`);
  const [state] = rows;
  if (state === undefined || state.may_create === true || state.is_member === true) return null;
  const create = state.has_role === true ? '' : `create role ${APP_ROLE} nologin; `;
  return `The role ${state.owner} has no CREATEROLE, so the start cannot create ${APP_ROLE}. Ask an administrator to run: ${create}grant ${APP_ROLE} to ${state.owner};`;
}
