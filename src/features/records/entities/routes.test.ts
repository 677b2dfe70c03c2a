import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { entityModels } from './index.ts';

const app = await startTestApp();
const { platform } = app.app;

async function modelsOf({ tenantId }: TestTenant) {
  const db = platform.scoped(wholeTenant(tenantId));
  const row = await db.query.selectFrom('entity_revisions').select('revision').executeTakeFirst();
  return entityModels(platform, tenantId, row?.revision ?? 0);
}

interface ColumnFacts {
  readonly name: string;
  readonly type: string;
}

async function columnsOf({ tenantId }: TestTenant, entity: string): Promise<readonly string[]> {
  const { rows } = await sql<ColumnFacts>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) || case when attnotnull then ' not null' else '' end as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schemaOf(tenantId)} and c.relname = ${entity} and attnum > 0 and not attisdropped
    order by attnum`.execute(platform.database.everyTenant('tests').query);
  return rows.map(({ name, type }) => `${name} ${type}`);
}

test('a defined entity has its own table and a model', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const fields = [
    { name: 'title', type: 'string', required: true, unique: true, searchable: true },
    { name: 'pages', type: 'integer', min: 1, max: 5000 },
    { name: 'status', type: 'enum', enum: ['draft', 'out'], default: 'draft' },
    { name: 'sequel_to', type: 'relation', relation: { entity: 'book', kind: 'belongs_to' } },
    { name: 'sequels', type: 'relation', relation: { entity: 'book', kind: 'has_many', field: 'sequel_to' } },
  ];
  assert.deepEqual((await api.post('/api/entities', { name: 'book', fields })).body, { name: 'book' });
  const { created_at, updated_at, ...shown } = (await api.get('/api/entities/book')).body;
  assert.deepEqual(shown, {
    name: 'book',
    label: null,
    owned_by: 'tenant',
    fields,
    workflow: null,
    version: 1,
  });
  assert.deepEqual(await columnsOf(tenant, 'book'), [
    'tenant_id uuid not null',
    'id uuid not null',
    'created_at timestamp with time zone not null',
    'updated_at timestamp with time zone not null',
    'created_by text',
    'updated_by text',
    'f_title text not null',
    'f_pages bigint',
    'f_status text',
    'f_sequel_to_id uuid',
    'search_text tsvector',
  ]);
  const models = await modelsOf(tenant);
  const book = models.get('book');
  assert.deepEqual([...(book?.fields.keys() ?? [])], ['title', 'pages', 'status', 'sequel_to_id']);
  assert.deepEqual([...(book?.relations.keys() ?? [])], ['sequel_to', 'sequels']);
  assert.equal(book?.table, `${schemaOf(tenant.tenantId)}.book`);
  assert.equal(platform.tables.get(schemaOf(tenant.tenantId), 'book').has_tenant, true);
});
