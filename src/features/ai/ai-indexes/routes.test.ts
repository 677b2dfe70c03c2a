import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

const metadataDefinition = [
  { fieldName: 'kind', fieldType: 'string' },
  { fieldName: 'year', fieldType: 'number' },
  { fieldName: 'open', fieldType: 'boolean' },
  { fieldName: 'tags', fieldType: 'array' },
];
async function createIndex(more: object = {}): Promise<string> {
  const body = {
    name: `index-${randomUUID()}`,
    contentsDescription: 'Things',
    metadataDefinition,
    ...more,
  };
  return (await api.post('/api/ai/indexes', body)).body.name;
}
const upsert = (name: string, data: object[], status = 200) =>
  api.post(`/api/ai/indexes/${name}/upsert`, { data }, status);
const query = async (name: string, input: string, more: object = {}) =>
  (await api.post(`/api/ai/indexes/${name}/query`, { input, ...more })).body.results;
const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);

const trains = {
  id: 'trains',
  input: 'Trains to Vienna leave every hour',
  metadata: { kind: 'travel', year: 2024 },
};
const bread = {
  id: 'bread',
  input: 'Knead the dough, let it rest and bake the bread',
  metadata: { kind: 'food', year: 2020, open: true, tags: ['bakery', 'slow'] },
};
const soup = {
  id: 'soup',
  input: 'Boil the soup slowly',
  metadata: { kind: 'food', year: 2022, tags: ['slow'] },
};

test('an index is created, listed, read and deleted, with its history', async () => {
  const name = await createIndex();
  const created = (await api.get(`/api/ai/indexes/${name}`)).body;
  assert.deepEqual(created, {
    name,
    contentsDescription: 'Things',
    metadataDefinition,
    business_unit: tenant.defaultUnitId,
    version: 1,
    created_at: created.created_at,
    updated_at: created.updated_at,
    item_count: 0,
    pending_count: 0,
    failed_count: 0,
    embedding_error: null,
  });
  const { results, total } = (await api.get('/api/ai/indexes?limit=100')).body;
  assert.ok(total >= 1 && results.some((each: { name: string }) => each.name === name));
  const again = { name, contentsDescription: 'Again', metadataDefinition: [] };
  assert.equal((await api.post('/api/ai/indexes', again, 409)).body.code, 'DUPLICATE_INDEX');
  await upsert(name, [trains]);
  assert.equal((await api.get(`/api/ai/indexes/${name}`)).body.item_count, 1);
  assert.equal((await api.delete(`/api/ai/indexes/${name}`)).body.id, name);
  await api.get(`/api/ai/indexes/${name}`, 404);
  await upsert(name, [trains], 404);
  await api.post('/api/ai/indexes', again);
  assert.deepEqual(await query(name, 'Trains'), []);
  const key = `entityType=ai_vector_index&entitySortKey=${name}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ version, data }: { version: number; data: { contentsDescription: string } }) => [
      version,
      data.contentsDescription,
    ]),
    [
      [1, 'Things'],
      [2, 'Again'],
    ],
  );
});

test('items of a deleted index are removed', async () => {
  const name = await createIndex();
  await upsert(name, [trains, bread]);
  await api.delete(`/api/ai/indexes/${name}`);
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  await eventually('the items to be deleted', async () => {
    const { rows } = await db.raw(
      (tenantId) => sql<{ left: number }>`
        select count(*) as left from ai_index_items i where tenant_id = ${tenantId}
          and not exists (select from ai_indexes x where x.tenant_id = i.tenant_id and x.id = i.index_id)`,
    );
    return rows[0]?.left === 0;
  });
});

test('a text is found by its words and returned unchanged with its score', async () => {
  const name = await createIndex();
  assert.deepEqual((await upsert(name, [trains, bread, soup])).body, { success: true });
  const [first, ...others] = await query(name, 'When does the next train to Vienna leave?');
  assert.deepEqual([first.id, first.input, first.metadata], [trains.id, trains.input, trains.metadata]);
  assert.ok(first.score > 0.5 && first.score <= 1);
  for (const { score } of others) assert.ok(score < first.score);
  const [same] = await query(name, bread.input, { top_k: 1 });
  assert.deepEqual([same.id, Math.round(same.score * 1e4)], ['bread', 1e4]);
});

test('an upsert replaces items with the same ids, adds no version, and is atomic', async () => {
  const name = await createIndex();
  await upsert(name, [trains, bread]);
  await upsert(name, [{ ...trains, input: 'Ships sail at noon', metadata: {} }]);
  const [found] = await query(name, 'Ships at noon', { top_k: 1 });
  assert.deepEqual([found.id, found.input, found.metadata], ['trains', 'Ships sail at noon', {}]);
  const wrong = [soup, { id: 'x', input: 'x', metadata: { colour: 'red', year: '2020', tags: 'slow' } }];
  const { body } = await upsert(name, wrong, 400);
  assert.deepEqual(
    body.issues.map(({ field }: { field: string }) => field),
    ['data[1].metadata.colour', 'data[1].metadata.year', 'data[1].metadata.tags'],
  );
  const state = (await api.get(`/api/ai/indexes/${name}`)).body;
  assert.deepEqual([state.item_count, state.version], [2, 1]);
});

test('a query ranks only items that match its filter', async () => {
  const name = await createIndex();
  await upsert(name, [trains, bread, soup]);
  const filtered = async (filter: object) => idsOf(await query(name, 'Trains to Vienna', { filter })).sort();
  const cases: [object, string[]][] = [
    [{ kind: 'food' }, ['bread', 'soup']],
    [{ kind: { operation: 'ne', value: 'food' } }, ['trains']],
    [{ kind: ['travel', 'none'] }, ['trains']],
    [{ year: 2024 }, ['trains']],
    [{ year: { operation: 'gte', value: 2022 } }, ['soup', 'trains']],
    [{ year: { operation: 'between', value: [2020, 2022] } }, ['bread', 'soup']],
    [{ open: true }, ['bread']],
    [{ open: { operation: 'empty' } }, ['soup', 'trains']],
    [{ tags: 'slow' }, ['bread', 'soup']],
    [{ tags: { operation: 'nin', value: ['slow'] } }, ['trains']],
    [{ tags: { operation: 'nemptyarray' } }, ['bread', 'soup']],
    [{ tags: 'slow', kind: 'food', year: 2020 }, ['bread']],
    [{ kind: { operation: 'like', value: 'RAV' } }, ['trains']],
  ];
  for (const [filter, expected] of cases)
    assert.deepEqual(await filtered(filter), expected, JSON.stringify(filter));
  const path = `/api/ai/indexes/${name}/query`;
  for (const filter of [{ colour: 'red' }, { year: 'x' }, { kind: { operation: 'near', value: 'x' } }]) {
    const { body } = await api.post(path, { input: 'x', filter }, 400);
    assert.match(body.issues[0].field, /^filter\./);
  }
});

test("a number out of the database's range is rejected", async () => {
  const name = await createIndex();
  const rawBody = '{"data":[{"id":"x","input":"x","metadata":{"year":1e999}}]}';
  const path = `/api/ai/indexes/${name}/upsert`;
  const { status, body } = await api.send('POST', path, {
    rawBody,
    headers: { 'content-type': 'application/json' },
  });
  assert.deepEqual([status, body.issues?.[0].field], [400, 'data[0].metadata.year']);
});

test('a query returns five items by default and at most a hundred', async () => {
  const name = await createIndex();
  await upsert(
    name,
    Array.from({ length: 120 }, (_, number) => ({
      id: `i${number}`,
      input: `number ${number}`,
      metadata: {},
    })),
  );
  assert.equal((await query(name, 'number')).length, 5);
  assert.equal((await query(name, 'number', { top_k: 100 })).length, 100);
  for (const top_k of [0, 101, 1.5])
    await api.post(`/api/ai/indexes/${name}/query`, { input: 'number', top_k }, 400);
});

test('items are deleted by id, and counted', async () => {
  const name = await createIndex();
  await upsert(name, [trains, bread, soup]);
  const answer = await api.send('DELETE', `/api/ai/indexes/${name}/items`, {
    body: { ids: ['trains', 'soup', 'absent'] },
  });
  assert.deepEqual([answer.status, answer.body], [200, { deleted: 2 }]);
  assert.deepEqual(idsOf(await query(name, 'Trains')), ['bread']);
});

test('errors of an index or an item are named', async () => {
  const create = async (more: object) =>
    (
      await api.post(
        '/api/ai/indexes',
        { name: 'right', contentsDescription: 'x', metadataDefinition: [], ...more },
        400,
      )
    ).body.issues[0].field;
  for (const name of ['Upper', 'under_score', '', undefined]) assert.equal(await create({ name }), 'name');
  assert.equal(await create({ contentsDescription: undefined }), 'contentsDescription');
  assert.equal(await create({ metadataDefinition: undefined }), 'metadataDefinition');
  const field = (fieldType: string) => ({ fieldName: 'a', fieldType });
  assert.equal(await create({ metadataDefinition: [field('date')] }), 'metadataDefinition[0].fieldType');
  assert.equal(
    await create({ metadataDefinition: [field('string'), field('number')] }),
    'metadataDefinition[1].fieldName',
  );
  const name = await createIndex();
  const item = async (...data: object[]) => (await upsert(name, data, 400)).body.issues[0].field;
  assert.equal(await item({ input: 'x', metadata: {} }), 'data[0].id');
  assert.equal(await item({ id: 1, input: 'x', metadata: {} }), 'data[0].id');
  assert.equal(await item({ id: 'x', metadata: {} }), 'data[0].input');
  assert.equal(await item({ id: 'x', input: 'x' }), 'data[0].metadata');
  assert.equal(await item(trains, trains), 'data[1].id');
  await upsert(name, [], 400);
});

test('editors write items and members find them', async () => {
  const name = await createIndex();
  const bu_id = tenant.defaultUnitId;
  const viewer = (await createMember(tenant, [{ bu_id, role: 'viewer' }])).api;
  await viewer.post(`/api/ai/indexes/${name}/upsert`, { data: [trains] }, 403);
  const editor = (await createMember(tenant, [{ bu_id, role: 'editor' }])).api;
  await editor.post(`/api/ai/indexes/${name}/upsert`, { data: [trains] });
  assert.equal((await viewer.post(`/api/ai/indexes/${name}/query`, { input: 'x' })).body.results.length, 1);
  const ungranted = (await createMember(tenant, [])).api;
  await ungranted.post(`/api/ai/indexes/${name}/query`, { input: 'x' }, 404);
});

test('the items of an index are listed by their ids, and read', async () => {
  const { api } = await app.createTenant();
  const definition = {
    contentsDescription: '',
    metadataDefinition: [{ fieldName: 'n', fieldType: 'number' }],
  };
  await api.post('/api/ai/indexes', { name: 'listed', ...definition });
  const long = 'x'.repeat(20_000);
  const data = ['b/2', 'a', 'c'].map((id, n) => ({ id, input: id === 'c' ? long : id, metadata: { n } }));
  await api.post('/api/ai/indexes/listed/upsert', { data });
  const { results, ...counts } = (await api.get('/api/ai/indexes/listed/items?limit=2')).body;
  assert.deepEqual(counts, { total: 3, totalPages: 2 });
  assert.deepEqual(
    results.map(({ updated_at: _at, ...item }: { updated_at: string }) => item),
    [data[1], data[0]].map((item) => ({ ...item, embedding_error: null })),
  );
  const rest = (await api.get('/api/ai/indexes/listed/items?limit=2&page=2')).body;
  assert.deepEqual([rest.total, rest.results[0].input.length], [3, long.length]);
  assert.deepEqual((await api.get('/api/ai/indexes/listed/items/b%2F2')).body, results[1]);
  await api.get('/api/ai/indexes/listed/items/none', 404);
  await api.get('/api/ai/indexes/none/items', 404);
});
