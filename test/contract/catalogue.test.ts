/** Guarantees of the database about tenants, read from its catalogue and tested in SQL. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import { APP_ROLE } from '../../src/db/app-role.ts';
import { FEATURE_NOT_SUPPORTED } from '../../src/db/sqlstate.ts';
import type { Tables } from '../../src/db/tables.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';
import { createWorld } from './world.ts';

export const runsOn = ['embedded', 'server', 'cluster'];
export const changesWith = ['migrations/', '.sql', 'src/db/', 'src/tenancy/'];

const app = await startTestApp();
const receiver = await startReceiver();
const mine = await app.createTenant();
const theirs = await app.createTenant();
await createWorld(mine, receiver.url);
await createWorld(theirs, receiver.url);
for (const { tenantId } of [mine, theirs]) {
  const db = app.app.platform.scoped(wholeTenant(tenantId));
  // No worker knows this job, so its row stays.
  const unknown = { name: 'test.unknown', timeoutSeconds: 1, runChecked: async () => {} };
  await app.app.platform.jobs.enqueue(db, unknown, {});
  // A dead message stays in the table.
  await sql`insert into audience_changes (tenant_id, id, target_id, state, due_at, attempts, subscriber_id)
    values (${tenantId}, ${randomUUID()}, ${tenantId}, 'failed', now(), 8, ${randomUUID()})`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  await sql`insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key,
      occurred_at)
    values (${tenantId}, ${randomUUID()}, ${tenantId}, 'failed', now(), 8, 'open', ${randomUUID()}, '', now())`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  await sql`insert into entity_revisions (tenant_id, revision) values (${tenantId}, 1)
    on conflict do nothing`.execute(app.app.platform.database.everyTenant('tests').query);
  // Rows of an upload that got no response.
  const staged = { tenant_id: tenantId, import_id: randomUUID(), part: 0, content: '{}' };
  await db.query.insertInto('subscriber_import_parts').values(staged).execute();
  // A project whose deletion is still running.
  const remains = {
    tenant_id: tenantId,
    project_id: 'gone',
    deleted_at: new Date(),
    actor: '{"kind":"operator"}',
  };
  await db.query.insertInto('page_project_remains').values(remains).execute();
  // Files of an upload that got no response.
  const removal = {
    tenant_id: tenantId,
    asset_id: randomUUID(),
    due_at: new Date(Date.now() + 3_600_000),
    attempts: 0,
  };
  await db.query.insertInto('asset_removals').values(removal).execute();
  // A message that is due for the broker later.
  const outgoing = {
    ...{ tenant_id: tenantId, id: randomUUID(), target_id: randomUUID(), state: 'pending' as const },
    ...{ due_at: new Date(Date.now() + 3_600_000), attempts: 0, last_error: null },
    ...{ queue: 'orders', body: '1', chain: '[]' },
  };
  await db.query.insertInto('queue_outbox').values(outgoing).execute();
  // A table that will stay in use for a while.
  const worked = { tenant_id: tenantId, entity: 'item', worked_at: new Date(Date.now() + 3_600_000) };
  await db.query.insertInto('entity_stagings').values(worked).execute();
}

const { database } = app.app.platform;
const everyTenant = database.everyTenant('tests').query;
const asTheirs = database.forTenant(theirs.tenantId);
const isCluster = databaseKind() === 'cluster';

/** Keys that do not begin with the tenant, with the reason. */
const GLOBAL_KEYS: Readonly<Record<string, string>> = {
  tenants_code_key: 'operators name a tenant by its code, in any tenant',
  users_pkey: 'a person may belong to several tenants',
  users_email: 'a person may belong to several tenants',
  memberships_user_id_fkey: 'refers to the person',
  secret_keys_pkey: 'SECRET_KEY is one for all tenants',
  schema_migrations_pkey: 'the schema is one for all tenants',
  schema_functions_pkey: 'the schema is one for all tenants',
};

/** SQLSTATE of a new row that violates the row-level security policy. */
const INSUFFICIENT_PRIVILEGE = '42501';
/** SQLSTATE of the empty text, which is not a tenant id. */
const INVALID_TEXT = '22P02';

interface TableFacts {
  readonly name: string;
  readonly owner: string;
  readonly has_tenant: boolean;
  readonly secured: boolean;
  readonly policies: number;
  /** The last one of `written`. */
  readonly lastColumn: string;
  /** Columns that can be written, without those that the database generates. */
  readonly written: readonly string[];
}

const { rows: tables } = await sql<TableFacts>`
  select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as secured,
    exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as has_tenant,
    (select count(*) from pg_policy p where p.polrelid = c.oid) as policies,
    (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attnum desc limit 1) as "lastColumn",
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as written
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`.execute(everyTenant);

const tenantTables = tables.filter(({ has_tenant }) => has_tenant);

/**
 * Runs a statement without a tenant condition as this tenant. On a cluster it reaches all nodes, which needs a setting.
 */
function everywhere<Row>(statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return asTheirs.transaction().execute(async (tx) => {
    if (isCluster) await sql`set local citus.multi_task_query_log_level = off`.execute(tx);
    return statement.execute(tx);
  });
}

/** Returns the SQLSTATE with which a statement fails. */
async function sqlStateOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return 'success';
}

/** Counts a tenant's rows that the connection can reach. */
async function countOf(db: Kysely<Tables>, table: string, tenantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(db);
  return rows[0]?.count ?? 0;
}

test('the tenant comes first in every primary key, unique key and foreign key', async () => {
  const { rows: indexes } = await sql<{ name: string; first: string }>`
    select i.relname as name, coalesce(a.attname, '(an expression)') as first
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
    where x.indisunique and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(
    everyTenant,
  );
  const { rows: references } = await sql<{ name: string; first: string; target: string }>`
    select k.conname as name, a.attname as first, f.attname as target
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace`.execute(everyTenant);
  assert.ok(indexes.length > tenantTables.length && references.length > 0);
  const wrong = [
    ...indexes.filter(({ first }) => first !== 'tenant_id'),
    ...references.filter(({ first, target }) => first !== 'tenant_id' || target !== 'tenant_id'),
  ].map(({ name }) => name);
  assert.deepEqual(wrong.sort(), Object.keys(GLOBAL_KEYS).sort());
});

test('every table belongs to tenants, except the listed directories', () => {
  const global = tables.filter((table) => !table.has_tenant).map(({ name }) => name);
  assert.deepEqual(global, ['schema_functions', 'schema_migrations', 'secret_keys', 'users']);
});

test('every table with a tenant has row-level security with a policy', () => {
  const open = tables.filter((table) => table.has_tenant && !(table.secured && table.policies === 1));
  assert.deepEqual(open, []);
});

test('every tenant column is not null', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'tenant_id'
      and c.is_nullable = 'YES'`.execute(everyTenant);
  assert.deepEqual(rows, []);
});

test("the application's role owns nothing and cannot bypass row-level security", async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select current_user as role, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin
    from pg_roles where rolname = current_user`.execute(asTheirs);
  const can = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false };
  // The nodes of a cluster connect to each other with the role of the request.
  assert.deepEqual(rows, [{ role: APP_ROLE, ...can, rolcanlogin: isCluster }]);
  assert.deepEqual(
    tables.filter(({ owner }) => owner === APP_ROLE),
    [],
  );
});

test("the application's role cannot change the schema or disable row-level security", async () => {
  for (const statement of [
    'create table public.own (id int)',
    'alter table forms disable row level security',
    'drop policy tenant_isolation on forms',
    'truncate forms',
    'drop table forms',
  ]) {
    assert.equal(await sqlStateOf(sql.raw(statement).execute(asTheirs)), INSUFFICIENT_PRIVILEGE, statement);
  }
});

test('only functions that look up callers, subscribers and documents, or lock a shard, bypass isolation', async () => {
  const { rows } = await sql<{ name: string; config: string[] }>`
    select proname as name, proconfig as config from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef order by 1`.execute(everyTenant);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'tessera_find_browser_session',
      'tessera_find_caller',
      'tessera_find_documents',
      'tessera_find_session_caller',
      'tessera_find_subscribers',
      'tessera_lock_tenant_shards',
      'tessera_match_records',
    ],
  );
  for (const { name, config } of rows) assert.match(String(config), /search_path=public, pg_temp/, name);
});

for (const { name: table, lastColumn, written } of tenantTables) {
  const isSpread = isCluster && table !== 'tenants';
  test(`${table}: another tenant can neither select, update, delete nor insert rows`, async () => {
    // Jobs create some rows after the request.
    await eventually(
      `a row of ${table}, made by a record of an examples.ts or of test/contract/records`,
      async () => {
        const counts = await Promise.all(
          [mine, theirs].map(({ tenantId }) => countOf(everyTenant, table, tenantId)),
        );
        return !counts.includes(0);
      },
    );
    const target = sql.table(table);
    const { rows: visible } = await everywhere(sql<{ tenant_id: string }>`
      select distinct tenant_id from ${target}`);
    assert.deepEqual(
      visible.map((row) => row.tenant_id),
      [theirs.tenantId],
    );
    const column = sql.ref(lastColumn);
    const update = await sql`
      update ${target} set ${column} = ${column} where tenant_id = ${mine.tenantId}`.execute(asTheirs);
    assert.equal(update.numAffectedRows, 0n);
    const removal = await sql`delete from ${target} where tenant_id = ${mine.tenantId}`.execute(asTheirs);
    assert.equal(removal.numAffectedRows, 0n);
    const move = everywhere(sql`update ${target} set tenant_id = ${mine.tenantId}`);
    // On a cluster no role can move a row to another tenant.
    assert.equal(await sqlStateOf(move), isSpread ? FEATURE_NOT_SUPPORTED : INSUFFICIENT_PRIVILEGE);
    const { rows } = await sql<{ copy: string }>`
      select row_to_json(t)::text as copy from ${target} t where tenant_id = ${mine.tenantId} limit 1`.execute(
      everyTenant,
    );
    const row = sql`(json_populate_record(null::${target}, ${rows[0]?.copy}::json))`;
    const columns = written.map((name) => sql.ref(name));
    const values = columns.map((column) => sql`${row}.${column}`);
    // As values: a cluster inserts selected rows only where the statement names the tenant.
    const copy = sql`insert into ${target} (${sql.join(columns)}) values (${sql.join(values)})`;
    assert.equal(await sqlStateOf(copy.execute(asTheirs)), INSUFFICIENT_PRIVILEGE);
    assert.notEqual(await countOf(everyTenant, table, mine.tenantId), 0);
  });
}

test('a connection without a tenant can access no row', async () => {
  for (const { name } of tenantTables) {
    const read = asTheirs.transaction().execute(async (tx) => {
      if (isCluster) await sql`set local citus.multi_task_query_log_level = off`.execute(tx);
      await sql`set local tessera.tenant = ''`.execute(tx);
      return sql`select from ${sql.table(name)} limit 1`.execute(tx);
    });
    // A node compares the setting as text, and no tenant has that id.
    if (isCluster) assert.deepEqual((await read).rows, [], name);
    else assert.equal(await sqlStateOf(read), INVALID_TEXT, name);
  }
});
