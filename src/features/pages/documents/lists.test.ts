/** Lists of documents and search while typing return the same as a scan of all documents. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createProject, type TestProject } from '../../../../test/harness/documents.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);
const found = async (project: TestProject, search: string, more: object = {}) =>
  idsOf((await project.search(search, more)).body);
const listed = async (project: TestProject, more: object) => {
  const { results, total } = (await project.list(more)).body;
  assert.equal(total, results.length);
  return idsOf(results);
};

/** Inserts old documents, one second apart, the last one the newest: `old-<number>`. */
async function fill(project: TestProject, count: number, first: number, model: string, name: string) {
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  await db.raw(
    (tenantId) => sql`
    insert into documents (tenant_id, project_id, id, owner_bu_id, document_model_id, uid, name, status, data, version,
      created_at, updated_at)
    select tenant_row.tenant_id, ${project.id}, 'old-' || n, ${tenant.defaultUnitId}::uuid, ${model}, 'old-' || n,
      ${name} || ' ' || n, 'archived', '{}', 1, at, at
    from (select n, timestamptz '2020-01-01Z' + n * interval '1 second' as at from generate_series(${first}::int, ${first + count - 1}::int) n) numbered
    cross join (select tenant_id from business_units where tenant_id = ${tenantId}::uuid and is_default) tenant_row`,
  );
}

/** Returns the documents with every word in name or uid, newest first, by scanning all. */
async function scanAll(project: TestProject, search: string): Promise<string[]> {
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  const patterns = search.split(' ').map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const contains = (pattern: string) => sql`(name ilike ${pattern} or uid ilike ${pattern})`;
  const { rows } = await db.raw(
    (tenantId) => sql<{ id: string }>`
    select id from documents where tenant_id = ${tenantId} and project_id = ${project.id}
      and ${sql.join(patterns.map(contains), sql` and `)}
    order by created_at desc, id desc`,
  );
  return idsOf(rows);
}

test('a list accepts every filter and operation, newest first', async () => {
  const project = await createProject(api);
  await project.putModel('post');
  await project.putDocument('a', { name: 'Älpha one', status: 'live' });
  await project.putDocument('b', { name: 'Beta 100%', document_model_id: 'post', uid: 'b_b' });
  await project.putDocument('c', { name: 'Gamma', status: 'archived' });
  const [c, b, a] = (await project.list()).body.results;
  assert.deepEqual(idsOf([c, b, a]), ['c', 'b', 'a']);
  assert.equal(c.data, '{}');
  const by = (field: string, operation: string, value?: unknown) =>
    listed(project, { filters: { [field]: { operation, value } } });
  assert.deepEqual(await by('status', 'eq', 'live'), ['a']);
  assert.deepEqual(await by('status', 'ne', 'live'), ['c', 'b']);
  assert.deepEqual(await by('status', 'in', ['live', 'draft']), ['b', 'a']);
  assert.deepEqual(await by('status', 'nin', ['live', 'draft']), ['c']);
  assert.deepEqual(await by('document_model_id', 'eq', 'post'), ['b']);
  assert.deepEqual(await by('document_model_id', 'like', 'PAG'), ['c', 'a']);
  assert.deepEqual(await by('uid', 'eq', 'b_b'), ['b']);
  assert.deepEqual(await by('uid', 'like', '_'), ['b']);
  assert.deepEqual(await by('name', 'like', 'älp'), ['a']);
  assert.deepEqual(await by('name', 'like', ''), ['c', 'b', 'a']);
  assert.deepEqual(await by('name', 'like', '0%'), ['b']);
  assert.deepEqual(await by('name', 'nlike', 'a one'), ['c', 'b']);
  assert.deepEqual(await by('name', 'eq', 'Gamma'), ['c']);
  assert.deepEqual(await by('name', 'eq', 'gamma'), []);
  assert.deepEqual(await by('name', 'gt', 'Beta'), await by('name', 'gte', 'Beta 100%'));
  assert.deepEqual(await by('uid', 'between', ['a', 'b']), ['a']);
  assert.deepEqual(await by('name', 'empty'), []);
  assert.deepEqual(await by('name', 'nempty'), ['c', 'b', 'a']);
  assert.deepEqual(await by('name', 'nemptyarray'), []);
  assert.deepEqual(await by('created_at', 'lt', b.created_at), ['a']);
  assert.deepEqual(await by('created_at', 'between', [b.created_at, c.created_at]), ['c', 'b']);
  await project.putDocument('a', { name: 'Alpha' });
  assert.deepEqual(await by('updated_at', 'gt', c.updated_at), ['a']);
  assert.deepEqual(await listed(project, { search: 'b BETA' }), ['b']);
  assert.deepEqual(await listed(project, { search: 'c', filters: {} }), ['c']);
  const { results, total, totalPages } = (await project.list({ page: 2, limit: 2 })).body;
  assert.deepEqual([idsOf(results), total, totalPages], [['a'], 3, 2]);
});

test('unsupported parameters of a list are rejected by name', async () => {
  const project = await createProject(api);
  for (const [field, filter] of [
    ['data', { operation: 'like', value: 'x' }],
    ['business_unit', { operation: 'eq', value: tenant.defaultUnitId }],
    ['status', { operation: 'matches', value: 'x' }],
    ['created_at', { operation: 'gt', value: 'yesterday' }],
  ] as const) {
    const { code, issues } = (await project.list({ filters: { [field]: filter } }, 400)).body;
    assert.equal(code, 'INVALID_REQUEST');
    assert.match(issues[0].field, new RegExp(`^filters.${field}`));
  }
  await project.list({ limit: 101 }, 400);
  await project.list({ page: 0 }, 400);
});

test('a page of large documents is returned completely', async () => {
  const project = await createProject(api);
  const data = JSON.stringify({ text: 'ä"\\'.repeat(200_000) });
  for (const id of ['a', 'b', 'c']) await project.putDocument(id, { data });
  const { results, total } = (await project.list()).body;
  assert.equal(total, 3);
  assert.ok(results.every((each: { data: string }) => each.data === data));
});

test('documents to link to are found by name and uid, newest first, with the data of a link', async () => {
  const project = await createProject(api);
  await project.putModel('layout', { metadata: { linkable: false } });
  await project.putModel('post', { metadata: {} });
  await project.putDocument('home', { name: 'Home page', uid: 'start', status: 'live' });
  await project.putDocument('parts', { name: 'Page parts', document_model_id: 'layout' });
  await project.putDocument('post', { name: 'A page on pages', document_model_id: 'post' });
  assert.deepEqual((await project.search('HOME sta')).body, [
    { id: 'home', name: 'Home page', uid: 'start', document_model_id: 'page', status: 'live' },
  ]);
  assert.deepEqual(await found(project, 'page'), ['post', 'home']);
  assert.deepEqual(await found(project, ''), ['post', 'home']);
  assert.deepEqual(await found(project, 'page', { limit: 1 }), ['post']);
  assert.deepEqual(await found(project, 'page', { document_model_ids: ['page', 'layout', 'page'] }), [
    'home',
  ]);
  assert.deepEqual(await found(project, 'page', { document_model_ids: [] }), ['post', 'home']);
  assert.deepEqual(await found(project, 'page', { document_model_ids: ['nowhere'] }), []);
  assert.deepEqual(await found(await createProject(api), 'page'), []);
  for (const body of [{}, { search: 5 }, { search: 'x', limit: 101 }, { search: 'x', limit: 0 }])
    await api.post(`/api/projects/${project.id}/pages/document/search`, body, 400);
});

test('documents behind a thousand newer ones are found, with and without keys', async () => {
  const project = await createProject(api);
  await project.putModel('layout', { metadata: { linkable: false } });
  await project.putModel('post');
  await fill(project, 150, 1, 'page', 'Ancient');
  await fill(project, 1050, 200, 'layout', 'Recent');
  await project.putDocument('new', { document_model_id: 'post', name: 'Ancient z%' });
  for (const search of ['ancient', 'ancient 7', 'old-77', 'z', 'z%', '%', '_', 'nobody', 'an', '']) {
    const all = (await scanAll(project, search)).filter((id) => id === 'new' || Number(id.slice(4)) < 200);
    assert.deepEqual(await found(project, search), all.slice(0, 20), search);
  }
  assert.deepEqual(await found(project, 'ancient', { document_model_ids: ['post'] }), ['new']);
  assert.deepEqual(await found(project, 'ancient 33', { document_model_ids: ['page', 'post'] }), [
    'old-133',
    'old-33',
  ]);
  assert.deepEqual(await listed(project, { search: 'z' }), ['new']);
  const filters = { name: { operation: 'eq', value: 'Ancient 7' } };
  assert.deepEqual(await listed(project, { filters }), ['old-7']);
});

/** Pieces of names and searches: wildcards, letters of many scripts, short and repeated ones. */
const PIECES = [
  'a',
  'Ann',
  'anna',
  'Ä',
  'ß',
  'İ',
  '%',
  '_',
  '\\',
  '-',
  '王',
  '小明',
  '🙂',
  "o'",
  '1',
  '99',
  'IJ',
];
const piece = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));

test('lists and searches match documents with every word, whatever characters the words contain', async () => {
  const project = await createProject(api);
  const names = fc.sample(fc.tuple(piece, piece), { numRuns: 60, seed: 7 });
  for (const [place, [first, second]] of names.entries())
    await project.putDocument(`d${place}`, { name: `${first} ${second}`, uid: `d_${place}-x` });
  const word = fc.oneof(piece, fc.constantFrom('D_1', '-X', 'd', 'a_'));
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 2 }), async (words) => {
      const search = words.join(' ');
      const matching = await scanAll(project, search);
      assert.deepEqual(await listed(project, { search, limit: 100 }), matching);
      assert.deepEqual(await found(project, search, { limit: 100 }), matching);
    }),
    { numRuns: 60 },
  );
});

test('changed and deleted documents are found by their current data, and never by another project or tenant', async () => {
  const project = await createProject(api);
  await project.putDocument('a', { name: 'Before' });
  await project.putDocument('a', { name: 'Afterwards' });
  assert.deepEqual(await listed(project, { search: 'before' }), []);
  assert.deepEqual(await listed(project, { search: 'fterward' }), ['a']);
  assert.deepEqual(await listed(await createProject(api), { search: 'fterward' }), []);
  const other = await app.createTenant();
  const twin = `/api/pages/project_metadata/${project.id}`;
  await other.api.put(twin, { name: 'Site', description: 'Of the same id' });
  const path = `/api/projects/${project.id}/pages/document/search`;
  assert.deepEqual((await other.api.post(path, { search: 'fterward' })).body, []);
  const foreign = app.app.platform.scoped(wholeTenant(other.tenantId));
  const fields = JSON.stringify([{ field: 'project_id', kind: 'text', value: project.id }]);
  await assert.rejects(
    foreign.raw(
      () =>
        sql`select tessera_find_documents(${tenant.tenantId}::uuid, '{fterward}', ${fields}, 10), ${other.tenantId}::text`,
    ),
    { code: '42501' },
  );
  await api.delete(`${project.path}/a`);
  assert.deepEqual(await listed(project, { search: 'fterward' }), []);
});
