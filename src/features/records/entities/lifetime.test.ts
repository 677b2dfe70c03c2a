/** Tables of entities, from a tenant's first definition to its reset. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { insertRow, readColumn } from '../../../../test/harness/entity-rows.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { APP_ROLE } from '../../../db/app-role.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { entityModels } from './index.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const { database } = platform;
const fields = [{ name: 'title', type: 'string' }];

async function revisionOf({ tenantId }: TestTenant): Promise<number> {
  const { query } = platform.scoped(wholeTenant(tenantId));
  return (await query.selectFrom('entity_revisions').select('revision').executeTakeFirst())?.revision ?? 0;
}

test('a reset drops only the tables of its tenant, and the revision continues', async () => {
  const [mine, theirs] = [await app.createTenant(), await app.createTenant()];
  for (const tenant of [mine, theirs]) {
    await tenant.api.post('/api/entities', { name: 'item', fields });
    await insertRow(database, tenant, 'item', { f_title: 'kept' });
  }
  const before = await revisionOf(mine);
  assert.equal((await entityModels(platform, mine.tenantId, before)).all().length, 1);
  await app.admin.post(`/admin/tenants/${mine.code}/reset`, { confirm: mine.code });
  await assert.rejects(readColumn(database, mine, 'item', 'f_title'), { code: '42P01' });
  const after = await revisionOf(mine);
  assert.ok(after > before);
  assert.deepEqual((await entityModels(platform, mine.tenantId, after)).all(), []);
  assert.deepEqual((await mine.api.get('/api/entities')).body.results, []);
  assert.deepEqual(await readColumn(database, theirs, 'item', 'f_title'), ['kept']);
  await mine.api.post('/api/entities', { name: 'item', fields });
  await app.admin.post(`/admin/tenants/${theirs.code}/reset`, { confirm: theirs.code });
});

test('a reset works whatever names and references the entities of tenants have', async () => {
  const [mine, theirs] = [await app.createTenant(), await app.createTenant()];
  const refersTo = (entity: string) => [
    { name: 'other', type: 'relation', relation: { entity, kind: 'belongs_to' } },
  ];
  // Named like tables of the platform, with cyclic references that those do not have.
  await theirs.api.post('/api/entities', { name: 'sessions', fields });
  await theirs.api.post('/api/entities', { name: 'refresh_tokens', fields: refersTo('sessions') });
  await theirs.api.put('/api/entities/sessions', { fields: refersTo('refresh_tokens') });
  await app.admin.post(`/admin/tenants/${mine.code}/reset`, { confirm: mine.code });
  await app.admin.post(`/admin/tenants/${theirs.code}/reset`, { confirm: theirs.code });
});

test('models are cached until a caller has a newer revision', async () => {
  const tenant = await app.createTenant();
  const read = (revision: number) => entityModels(platform, tenant.tenantId, revision);
  assert.deepEqual((await read(0)).all(), []);
  await tenant.api.post('/api/entities', { name: 'item', fields });
  const first = await revisionOf(tenant);
  const [one, same] = await Promise.all([read(first), read(first)]);
  assert.equal(one, same);
  assert.equal(await read(first), one);
  await tenant.api.put('/api/entities/item', { fields: [...fields, { name: 'note', type: 'text' }] });
  assert.equal(await read(first), one);
  const next = await read(await revisionOf(tenant));
  assert.deepEqual([...(next.get('item')?.fields.keys() ?? [])], ['title', 'note']);
  // A caller with an earlier revision gets the current model.
  assert.equal(await read(first), next);
});

test("another tenant reaches no row, and the application's role cannot change tables", async () => {
  const [mine, theirs] = [await app.createTenant(), await app.createTenant()];
  await mine.api.post('/api/entities', { name: 'item', fields });
  await insertRow(database, mine, 'item', { f_title: 'mine' });
  const table = sql.id(schemaOf(mine.tenantId), 'item');
  const asTheirs = database.forTenant(theirs.tenantId);
  assert.deepEqual((await sql`select * from ${table}`.execute(asTheirs)).rows, []);
  assert.equal((await sql`update ${table} set f_title = ''`.execute(asTheirs)).numAffectedRows, 0n);
  assert.equal((await sql`delete from ${table}`.execute(asTheirs)).numAffectedRows, 0n);
  const copy = sql`insert into ${table} (tenant_id, id, created_at, updated_at)
    values (${mine.tenantId}, gen_random_uuid(), now(), now())`;
  await assert.rejects(copy.execute(asTheirs), { code: '42501' });
  const asMine = database.forTenant(mine.tenantId);
  for (const command of [
    sql`drop table ${table}`,
    sql`truncate ${table}`,
    sql`alter table ${table} disable row level security`,
    sql`create table ${sql.id(schemaOf(mine.tenantId), 'own')} (id int)`,
    sql`create schema ${sql.id('own')}`,
  ])
    await assert.rejects(command.execute(asMine), { code: '42501' });
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(asMine);
  assert.deepEqual(rows, [{ role: APP_ROLE }]);
});

test('every table of tenants has the tenant first in its keys, and row-level security', async () => {
  const tenant = await app.createTenant();
  const parent = { name: 'parent', type: 'relation', relation: { entity: 'item', kind: 'belongs_to' } };
  const unique = { name: 'code', type: 'string', unique: true };
  await tenant.api.post('/api/entities', { name: 'item', fields: [...fields, unique, parent] });
  const all = database.everyTenant('tests').query;
  const schema = schemaOf(tenant.tenantId);
  const { rows: open } = await sql`
    select c.relname from pg_class c where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r'
      and not (c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))`.execute(all);
  assert.deepEqual(open, []);
  const { rows: wrong } = await sql`
    select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
    where i.relnamespace = ${schema}::regnamespace and a.attname <> 'tenant_id'
    union all select k.conname from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.connamespace = ${schema}::regnamespace and a.attname <> 'tenant_id'`.execute(
    all,
  );
  assert.deepEqual(wrong, []);
});
