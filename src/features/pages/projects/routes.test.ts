import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api, defaultUnitId } = tenant;

const path = (id: string) => `/api/pages/project_metadata/${id}`;
const body = (more: object = {}) => ({ name: 'Shop', description: 'Sells things', ...more });
const newId = () => `site-${randomUUID()}`;

test('a PUT creates a project, then replaces it, and every version stays readable', async () => {
  const id = newId();
  const redirect_config = { source_domains: ['shop.example'] };
  assert.deepEqual((await api.put(path(id), body({ redirect_config }))).body, { id });
  const { created_at, updated_at, ...created } = (await api.get(path(id))).body;
  assert.equal(created_at, updated_at);
  assert.deepEqual(created, {
    id,
    name: 'Shop',
    description: 'Sells things',
    is_template: false,
    template_id: null,
    duplicated_from: null,
    business_unit_id: defaultUnitId,
    redirect_config,
    preview_config: null,
    version: 1,
  });
  assert.deepEqual((await api.put(path(id), body({ name: 'Store', version: 1 }))).body, { id });
  assert.equal((await api.put(path(id), body({ version: 1 }), 409)).body.code, 'VERSION_CONFLICT');
  const key = `entityType=pages_project_metadata&entitySortKey=${id}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ data }: { data: { name: string } }) => data.name),
    ['Shop', 'Store'],
  );
});

test('all projects are returned as a plain array, newest first, filtered by a complete name or by its words', async () => {
  const { api: other } = await app.createTenant();
  const ids = [newId(), newId(), newId()];
  const names = ['Shop', 'Shop north', 'Blog'];
  for (const [place, id] of ids.entries()) await other.put(path(id), body({ name: names[place] }));
  const list = async (query = '') =>
    (await other.get(`/api/pages/project_metadata/list${query}`)).body.map(({ id }: { id: string }) => id);
  assert.deepEqual(await list(), ids.toReversed());
  assert.deepEqual(await list('?name=Shop'), [ids[0]]);
  assert.deepEqual(await list('?search=NORTH%20shop'), [ids[1]]);
  assert.deepEqual(await list('?name=Shop&search=north'), []);
});

test('a call with sort options gets one page of projects in the usual envelope', async () => {
  const { api: other } = await app.createTenant();
  for (const name of ['b', 'c', 'a']) await other.put(path(name), body({ name }));
  const list = async (query: string) =>
    (await other.get(`/api/pages/project_metadata/list?fields[]=id&${query}`)).body;
  const first = await list('sort=name&limit=2');
  assert.deepEqual(first, { results: [{ id: 'a' }, { id: 'b' }], total: 3, totalPages: 2, next: first.next });
  const last = await list(`sort=name&limit=2&count=false&after=${first.next}`);
  assert.deepEqual(last, { results: [{ id: 'c' }], next: null });
  await other.put(path('c'), body({ name: 'c', description: 'New' }));
  assert.deepEqual((await list('sort=-updated_at&limit=1')).results, [{ id: 'c' }]);
});

for (const [what, change, field] of [
  ['no name', { name: undefined }, 'name'],
  ['no description', { description: undefined }, 'description'],
  ['a description that is too long', { description: 'x'.repeat(1001) }, 'description'],
  [
    'domains that are no list',
    { redirect_config: { source_domains: 'shop.example' } },
    'redirect_config.source_domains',
  ],
  ['a preview without a domain', { preview_config: {} }, 'preview_config.domain'],
  ['a template that cannot be one', { template_id: 'a/b' }, 'template_id'],
] as const) {
  test(`a project with ${what} is rejected by name`, async () => {
    const { code, issues } = (await api.put(path(newId()), body(change), 400)).body;
    assert.equal(code, 'INVALID_REQUEST');
    assert.deepEqual(
      issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}

test('invalid ids are not found, and reserved ones are rejected', async () => {
  for (const id of ['a%20b', 'x'.repeat(129), 'a%2Fb']) {
    await api.put(path(id), body(), 404);
    await api.get(path(id), 404);
  }
  for (const id of ['preview', 'project_metadata', 'list']) {
    const refused = (await api.put(path(id), body(), 422)).body;
    assert.deepEqual([refused.code, refused.issues[0].field], ['VALIDATION_ERROR', 'id']);
  }
});

test('members that are set once cannot be changed, and members omitted from a replace are kept', async () => {
  const [template, id] = [newId(), newId()];
  const unit = await createUnit(tenant, `Unit ${randomUUID()}`);
  await api.put(path(template), body({ is_template: true }));
  await api.put(path(id), body({ template_id: template, preview_config: { domain: 'x.example' } }));
  const code = async (more: object) => (await api.put(path(id), body(more), 409)).body.code;
  assert.equal(await code({ template_id: id }), 'IMMUTABLE_FIELD');
  assert.equal(await code({ template_id: null }), 'IMMUTABLE_FIELD');
  assert.equal(await code({ duplicated_from: template }), 'IMMUTABLE_FIELD');
  assert.equal(await code({ business_unit_id: unit }), 'OWNER_IMMUTABLE');
  await api.put(path(id), body({ name: 'Other', template_id: template, business_unit_id: defaultUnitId }));
  const read = (await api.get(path(id))).body;
  assert.deepEqual(
    [read.template_id, read.preview_config, read.version],
    [template, { domain: 'x.example' }, 2],
  );
});

test('a project is created from an existing template', async () => {
  const id = newId();
  await api.put(path(id), body());
  for (const template_id of [id, newId()]) {
    const refused = (await api.put(path(newId()), body({ template_id }), 422)).body;
    assert.deepEqual([refused.code, refused.issues[0].field], ['VALIDATION_ERROR', 'template_id']);
  }
});

test('a project belongs to the unit in its body, and only that unit can reach it', async () => {
  const north = await createUnit(tenant, `North ${randomUUID()}`);
  const { api: editor } = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const { api: viewer } = await createMember(tenant, [
    { bu_id: north, role: 'viewer' },
    { bu_id: defaultUnitId, role: 'editor' },
  ]);
  const [ours, theirs] = [newId(), newId()];
  await api.put(path(ours), body({ business_unit_id: north }));
  await api.put(path(theirs), body());
  assert.equal((await api.get(path(ours))).body.business_unit_id, north);
  assert.deepEqual(
    (await editor.get('/api/pages/project_metadata/list')).body.map(({ id }: { id: string }) => id),
    [ours],
  );
  await editor.put(path(ours), body({ name: 'Ours' }));
  await editor.put(path(newId()), body({ business_unit_id: defaultUnitId }), 403);
  await viewer.put(path(ours), body(), 403);
  await editor.delete(path(ours), 403);
  for (const call of [
    editor.get(path(theirs), 404),
    editor.put(path(theirs), body(), 404),
    editor.get(`/api/pages/${theirs}/site-settings`, 404),
    editor.put(`/api/pages/${theirs}/site-settings`, {}, 404),
    editor.post(`${path(theirs)}/duplicate`, { name: 'Copy' }, 404),
    editor.post(`${path(theirs)}/sync-template`, {}, 404),
  ])
    await call;
  await viewer.put(`/api/pages/${ours}/site-settings`, {}, 403);
});

test('of many concurrent PUTs of one new id one creates the project and the others replace it', async () => {
  const id = newId();
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => api.send('PUT', path(id), { body: body({ name }) })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal((await api.get(path(id))).body.version, 4);
});

test('a tenant has at most a thousand projects, including copies', async () => {
  const { api: other, tenantId, defaultUnitId: unit } = await app.createTenant();
  const first = newId();
  await other.put(path(first), body());
  await app.app.platform.scoped(wholeTenant(tenantId)).raw(
    (of) => sql`
      insert into page_projects
        (tenant_id, id, owner_bu_id, name, description, is_template, version, created_at, updated_at)
      select tenant_row.tenant_id, 'p' || n, ${unit}::uuid, 'P', '', false, 1, '2026-01-02'::timestamptz, '2026-01-02'::timestamptz
      from generate_series(2, 1000) n cross join ${tenantRow(of)}`,
  );
  assert.equal((await other.put(path(newId()), body(), 422)).body.code, 'VALIDATION_ERROR');
  await other.post(`${path(first)}/duplicate`, { name: 'Copy' }, 422);
  await other.put(path(first), body({ name: 'Still' }));
  assert.equal((await other.get('/api/pages/project_metadata/list')).body.length, 1000);
});
