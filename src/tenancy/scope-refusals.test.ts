/** Statements that the scope cannot restrict are rejected when they are compiled. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import type { Tables } from '../db/tables.ts';
import { wholeTenant } from './scope.ts';

const { app, createTenant } = await startTestApp();
const { scoped, tables, database } = app.platform;
const { tenantId: mine, defaultUnitId } = await createTenant();
const { tenantId: theirs } = await createTenant();
const db = scoped(wholeTenant(mine));
const { query } = db;

/** The same database with the scope of one unit's editor. */
const ofUnit = scoped({
  ...{ tenantId: mine, read: 'all', write: [defaultUnitId], remove: [], shared: 'none' },
}).query;

/** Query builder for tables that exist only at run time. */
const anyTable = query.withTables<Record<string, Record<string, unknown>>>();

const now = new Date().toISOString();

function themeOf(tenantId: string, code: string, ownerBuId = defaultUnitId) {
  const facts = { version: 1, created_at: now, updated_at: now, formBuilderThemeOptions: '{}' };
  return { tenant_id: tenantId, code, owner_bu_id: ownerBuId, name: code, ...facts };
}

test('a table missing from the catalogue is rejected by name', () => {
  for (const [name, message] of [
    ['unknown_table', 'public.unknown_table'],
    ['elsewhere.forms', 'elsewhere.forms'],
    ['pgboss.job', 'pgboss.job'],
  ] as const) {
    const refusal = { message: `A scoped statement names ${message}, which is not known.` };
    assert.throws(() => anyTable.selectFrom(name).selectAll().compile(), refusal);
    assert.throws(() => anyTable.updateTable(name).set({ a: 1 }).compile(), refusal);
    assert.throws(() => anyTable.deleteFrom(name).compile(), refusal);
    assert.throws(() => anyTable.insertInto(name).values({ tenant_id: mine }).compile(), refusal);
    assert.throws(
      () => anyTable.selectFrom('forms').innerJoin(name, 'a', 'b').selectAll().compile(),
      refusal,
    );
  }
});

test('a table without tenants is rejected unless it is listed as global', async () => {
  assert.throws(() => anyTable.selectFrom('schema_migrations').selectAll().compile(), {
    message: 'A scoped statement names public.schema_migrations, which has no tenant_id.',
  });
  assert.ok((await query.selectFrom('users').select('user_id').execute()).length >= 2);
});

test('a common table expression is not a table, and hides none from earlier parts of the statement', async () => {
  const shadowing = query
    .with('form_themes', (inner) => inner.selectFrom('form_themes').select('code'))
    .with('later', (inner) => inner.selectFrom('form_themes').select('code'))
    .selectFrom('later')
    .select('code')
    .compile();
  assert.equal(shadowing.sql.match(/"tenant_id" = /g)?.length, 1, shadowing.sql);
  const early = anyTable
    .with('early', (inner) => inner.selectFrom('late').select('code'))
    .with('late', (inner) => inner.selectFrom('form_themes').select('code'))
    .selectFrom('early')
    .select('code');
  assert.throws(() => early.compile(), /names public\.late/);
  const recursive = anyTable
    .withRecursive('r(n)', (inner) =>
      inner.selectFrom('form_themes').select('version as n').unionAll(inner.selectFrom('r').select('n')),
    )
    .selectFrom('r')
    .select('n');
  assert.match(recursive.compile().sql, /"form_themes"\."tenant_id" = /);
  // After its statement, and as the target of a change, the name means the table again.
  assert.throws(() => anyTable.selectFrom('late').selectAll().compile(), /names public\.late/);
  const target = anyTable
    .with('gone', (inner) => inner.selectFrom('form_themes').select('code'))
    .deleteFrom('gone');
  assert.throws(() => target.compile(), /names public\.gone/);
  const schema = anyTable
    .with('codes', (inner) => inner.selectFrom('form_themes').select('code'))
    .selectFrom('public.codes')
    .selectAll();
  assert.throws(() => schema.compile(), /names public\.codes/);
});

test('SQL that names a table within a statement is rejected', () => {
  const themes = query.selectFrom('form_themes').select('code');
  for (const fragment of [
    sql<boolean>`exists (select from form_themes)`,
    sql<boolean>`code in (select code FROM form_themes t)`,
    sql<boolean>`exists (table form_themes)`,
    sql<boolean>`exists (select from ${sql.table('form_themes')})`,
    sql<boolean>`code = any(array(select code ${sql.raw('from form_themes')}))`,
    sql<boolean>`${sql.table('form_themes')} is not null`,
  ])
    assert.throws(() => themes.where(fragment).compile(), /SQL within a scoped statement names a table/);
  assert.throws(() => query.selectFrom(sql<{ a: 1 }>`form_themes`.as('t')).selectAll().compile(), /RawNode/);
  themes.where(sql<boolean>`code is distinct from ${'x'} and name is not distinct from 'y'`).compile();
  const called = query
    .selectFrom((eb) => eb.fn<{ code: string }>('unnest', [eb.val(['a'])]).as('given'))
    .selectAll();
  assert.match(called.compile().sql, /from unnest\(\$1\) as "given"/);
});

test('raw SQL is only possible through `raw`, which requires the tenant among its parameters', async () => {
  assert.throws(() => sql`select 1`.compile(query), /write SQL through ScopedDb\.raw/);
  await assert.rejects(sql`select from users`.execute(query), /write SQL through ScopedDb\.raw/);
  await assert.rejects(
    db.raw(() => sql`select code from form_themes`),
    /does not name its tenant: select code/,
  );
  await assert.rejects(
    db.raw(() => sql`select code from form_themes where tenant_id = ${theirs}`),
    /does not name its tenant/,
  );
  const { rows } = await db.raw(
    (tenantId) => sql<{ code: string }>`select code from tenants where tenant_id = ${tenantId}`,
  );
  assert.equal(rows.length, 1);
});

test('`raw` runs under the tenant, and inside the open transaction', async () => {
  const unitsOf = async (owner: string) => {
    const { rows } = await db.raw(
      (tenantId) => sql`select from business_units where tenant_id = ${owner} and ${tenantId} <> ''`,
    );
    return rows.length;
  };
  assert.deepEqual([await unitsOf(mine), await unitsOf(theirs)], [1, 0]);
  const rolledBack = db.transaction(async (tx) => {
    await tx.raw((tenantId) => sql`update tenants set name = 'raw' where tenant_id = ${tenantId}`);
    const { name } = await tx.query.selectFrom('tenants').select('name').executeTakeFirstOrThrow();
    throw new Error(name);
  });
  await assert.rejects(rolledBack, { message: 'raw' });
  const { name } = await query.selectFrom('tenants').select('name').executeTakeFirstOrThrow();
  assert.notEqual(name, 'raw');
});

test('a row is inserted for the tenant of the scope, or not at all', async () => {
  const themes: string = 'form_themes';
  const insert = (...rows: Record<string, unknown>[]) => anyTable.insertInto(themes).values(rows);
  const { tenant_id: _, ...nameless } = themeOf(mine, 'nameless');
  for (const rows of [
    [themeOf(theirs, 'foreign')],
    [nameless],
    [themeOf(mine, 'own'), themeOf(theirs, 'foreign')],
    [{ ...themeOf(mine, 'x'), tenant_id: sql`gen_random_uuid()` }],
  ])
    assert.throws(() => insert(...rows).compile(), /does not name its tenant/);
  assert.throws(
    () => anyTable.insertInto('form_themes').defaultValues().compile(),
    /does not name its tenant/,
  );
  await insert(themeOf(mine, 'one'), { ...themeOf(mine, 'two'), tenant_id: sql`${mine}::uuid` }).execute();
  const copied = (tenant: unknown) =>
    anyTable
      .insertInto('form_themes')
      .columns(['tenant_id', 'code'])
      .expression((eb) => eb.selectFrom('form_themes').select([eb.val(tenant).as('tenant_id'), 'code']));
  assert.throws(() => copied(theirs).compile(), /does not name its tenant/);
  copied(mine).compile();
});

test('a row stays with its tenant, and a conflict changes only rows of the units that may be written', async () => {
  assert.throws(
    () => query.updateTable('form_themes').set({ tenant_id: theirs }).compile(),
    /tenant_id cannot be updated/,
  );
  await query
    .insertInto('form_themes')
    .values(themeOf(mine, 'of-another-unit', randomUUID()))
    .execute();
  const upsert = (builder: Kysely<Tables>, code: string) =>
    builder
      .insertInto('form_themes')
      .values(themeOf(mine, code))
      .onConflict((conflict) => conflict.columns(['tenant_id', 'code']).doUpdateSet({ name: 'changed' }))
      .returning('name')
      .execute();
  assert.deepEqual(await upsert(ofUnit, 'of-another-unit'), []);
  assert.deepEqual(await upsert(query, 'of-another-unit'), [{ name: 'changed' }]);
});

test('a table created at run time is restricted once it is registered, next to one of the same name', async () => {
  const schema = `s${randomUUID().replaceAll('-', '')}`;
  await database.everyTenant('tests').transaction(async (tx) => {
    await tx.raw(sql`set local role none`);
    await tx.raw(sql`create schema ${sql.id(schema)}`);
    await tx.raw(sql`create table ${sql.id(schema, 'forms')} (tenant_id uuid, owner_bu_id uuid, code text)`);
    await tx.raw(sql`grant usage on schema ${sql.id(schema)} to tessera_app`);
    await tx.raw(sql`grant select, insert on ${sql.id(schema, 'forms')} to tessera_app`);
  });
  const forms = `${schema}.forms`;
  const read = () => anyTable.selectFrom(forms).select('code');
  assert.throws(() => read().compile(), new RegExp(`names ${forms}, which is not known`));
  await tables.learn(schema);
  for (const [tenant, code] of [
    [mine, 'mine'],
    [theirs, 'theirs'],
  ] as const) {
    const row = { tenant_id: tenant, owner_bu_id: defaultUnitId, code };
    await scoped(wholeTenant(tenant))
      .query.withTables<Record<string, typeof row>>()
      .insertInto(forms)
      .values(row)
      .execute();
  }
  assert.deepEqual(await read().execute(), [{ code: 'mine' }]);
  assert.deepEqual(await query.selectFrom('forms').select('code').execute(), []);
});

test('statements compiled elsewhere are not scoped, so features may not run them', async () => {
  // The architecture contract test rejects it; row-level security still applies here.
  const unitsOf = async (owner: string) => {
    const { rows } = await query.executeQuery(
      CompiledQuery.raw('select from business_units where tenant_id = $1', [owner]),
    );
    return rows.length;
  };
  assert.deepEqual([await unitsOf(mine), await unitsOf(theirs)], [1, 0]);
});
