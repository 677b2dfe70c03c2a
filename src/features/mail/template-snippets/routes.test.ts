import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

const path = '/api/template_snippets';

async function create(name: string, content = '<hr>', client = api): Promise<string> {
  return (await client.post(path, { name, content })).body.id;
}

test('a snippet is returned as written, and its versions stay in history', async () => {
  const id = await create('footer', '<p>{{year}}</p>');
  const { body } = await api.get(`${path}/${id}`);
  assert.deepEqual(body, {
    id,
    version: 1,
    created_at: body.created_at,
    updated_at: body.created_at,
    name: 'footer',
    content: '<p>{{year}}</p>',
    description: null,
    business_unit: tenant.defaultUnitId,
  });
  const changed = { name: 'footer', content: 'new', description: 'd', version: 1 };
  assert.deepEqual((await api.put(`${path}/${id}`, changed)).body, { id });
  assert.equal((await api.put(`${path}/${id}`, changed, 409)).body.error.code, 'VERSION_CONFLICT');
  assert.deepEqual((await api.delete(`${path}/${id}`)).body, { id });
  assert.equal((await api.get(`${path}/${id}`, 404)).body.error.code, 'NOT_FOUND');
  const query = `entityType=email_template_snippet&entitySortKey=${id}`;
  assert.match((await api.get(`/api/entity/versions?${query}`)).text, /"content":"new"/);
});

test('a name is unique, also after a rename; that of a deleted snippet is free again', async () => {
  const id = await create('taken');
  assert.equal(
    (await api.post(path, { name: 'taken', content: 'x' }, 409)).body.error.code,
    'DUPLICATE_SNIPPET',
  );
  const other = await create('other');
  const renamed = await api.put(`${path}/${other}`, { name: 'taken', content: 'x' }, 409);
  assert.equal(renamed.body.error.code, 'DUPLICATE_SNIPPET');
  await api.put(`${path}/${id}`, { name: 'taken', content: 'y' });
  await api.delete(`${path}/${id}`);
  await create('taken');
  await create('taken', 'x', (await app.createTenant()).api);
});

test('a list pages and searches, newest first', async () => {
  const own = (await app.createTenant()).api;
  for (const name of ['alpha', 'beta', 'alpha beta']) await create(name, 'x', own);
  const names = async (query: string) =>
    (await own.get(`${path}?${query}`)).body.results.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(''), ['alpha beta', 'beta', 'alpha']);
  assert.deepEqual(await names('search=BETA%20al'), ['alpha beta']);
  const { total, totalPages } = (await own.get(`${path}?limit=2&page=2`)).body;
  assert.deepEqual([total, totalPages], [3, 2]);
});

for (const [what, code, body] of [
  ['no content', 'INVALID_REQUEST', { name: 'n' }],
  ['an empty name', 'INVALID_REQUEST', { name: '', content: 'x' }],
  ['a name that no template can write', 'INVALID_REQUEST', { name: 'a"b\'c', content: 'x' }],
  ['content that does not parse', 'INVALID_TEMPLATE', { name: 'n', content: '{{#if x}}' }],
] as const) {
  test(`a snippet with ${what} is ${code}`, async () => {
    const answer = await api.post(path, body, 400);
    assert.equal(answer.body.error.code, code);
    assert.equal(answer.body.error.details.length, 1);
  });
}

test('snippets belong to a business unit', async () => {
  const north = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const id = await create('default-owned');
  await member.api.get(`${path}/${id}`, 404);
  const own = await create('north-owned', 'x', member.api);
  assert.equal((await api.get(`${path}/${own}`)).body.business_unit, north);
  assert.equal((await member.api.delete(`${path}/${own}`, 403)).body.error.code, 'FORBIDDEN');
});
