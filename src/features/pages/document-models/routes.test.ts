import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api, code: tenantCode } = tenant;

async function createProject(more: object = {}): Promise<string> {
  const { body } = await api.put(`/api/pages/project_metadata/p-${randomUUID()}`, {
    name: 'Site',
    description: 'A site',
    ...more,
  });
  return body.id;
}

const projectId = await createProject();
const path = `/api/pages/${projectId}/document-model`;
const body = (id: string, more: object = {}) => ({
  id,
  label: `Model ${id}`,
  format: 'page',
  repeatable: true,
  status: true,
  json: { Main: { title: { type: 'Text', config: { label: 'Title' } } } },
  ...more,
});

test('a model is created, read, replaced and deleted, and every version stays readable', async () => {
  assert.deepEqual((await api.put(path, body('article'))).body, { id: 'article' });
  const first = (await api.get(`${path}/article`)).body;
  assert.deepEqual(
    [first.project_id, first.label, first.format, first.repeatable, first.status, first.version],
    [projectId, 'Model article', 'page', true, true, 1],
  );
  await api.put(
    path,
    body('article', { label: 'Article', format: 'custom', repeatable: false, status: false }),
  );
  const second = (await api.get(`${path}/article`)).body;
  assert.deepEqual(
    [second.label, second.format, second.repeatable, second.status, second.version, second.created_at],
    ['Article', 'custom', false, false, 2, first.created_at],
  );
  assert.deepEqual((await api.delete(`${path}/article`)).body, { id: 'article' });
  await api.get(`${path}/article`, 404);
  await api.delete(`${path}/article`, 404);
  const key = `entityType=pages_document_model&entitySortKey=${encodeURIComponent(`${projectId}#article`)}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ data }: { data: { label: string; json: object } }) => [
      data.label,
      Object.keys(data.json),
    ]),
    [
      ['Model article', ['Main']],
      ['Article', ['Main']],
    ],
  );
  const deleted = (await api.get('/api/entity/deleted-records?entityType=pages_document_model')).body;
  assert.equal(deleted[0].pk, `${tenantCode}#pages_document_model#DELETED`);
  assert.equal(deleted[0].sk, `${projectId}#article`);
  // A recreated model continues the versions of the deleted one.
  await api.put(path, body('article'));
  assert.equal((await api.get(`${path}/article`)).body.version, 3);
  await api.delete(`${path}/article`);
});

test('a definition is returned as written, including unknown kinds and options', async () => {
  const json = {
    Zeta: { last: { type: 'Hologram', config: { z: 1, a: [{ y: null, x: 1.5 }], '': {} }, fieldset: 'x' } },
    Main: { title: { config: { placeholder: 'ü "q" \\' }, type: 'Text' }, toString: { type: 'Text' } },
    constructor: {},
  };
  await api.put(path, body('verbatim', { json }));
  const { text } = await api.get(`${path}/verbatim`);
  assert.ok(text.includes(`"json":${JSON.stringify(json)}`), text);
});

test('a list shows models without their definitions, newest first, and searches labels', async () => {
  const site = await createProject();
  const models = `/api/pages/${site}/document-model`;
  for (const [id, label] of [
    ['a', 'Blue page'],
    ['b', 'Green page'],
    ['c', 'Menu'],
  ] as const)
    await api.put(models, body(id, { label }));
  await api.put(path, body('elsewhere', { label: 'Blue page' }));
  const list = async (query: string) => (await api.get(`${models}?${query}`)).body;
  const all = await list('');
  assert.deepEqual(
    all.results.map(({ id }: { id: string }) => id),
    ['c', 'b', 'a'],
  );
  assert.deepEqual([all.total, all.totalPages], [3, 1]);
  assert.ok(!('json' in all.results[0]));
  assert.deepEqual(all.results[0].metadata, { linkable: true });
  const found = await list('searchText=PAGE%20blue');
  assert.deepEqual(
    found.results.map(({ id }: { id: string }) => id),
    ['a'],
  );
  assert.equal(found.total, 1);
  const last = await list('page=2&limit=2');
  assert.deepEqual([last.results.length, last.total, last.totalPages], [1, 3, 2]);
  const past = await list('page=9&limit=2');
  assert.deepEqual([past.results.length, past.total], [0, 3]);
  for (const query of ['limit=101', 'limit=0', 'page=0', 'page=x'])
    assert.equal((await api.get(`${models}?${query}`, 400)).body.code, 'INVALID_REQUEST');
});

test('links may lead to the documents of a model by default', async () => {
  for (const [metadata, shown] of [
    [undefined, { linkable: true }],
    [{}, {}],
    [{ linkable: false }, { linkable: false }],
    [{ linkable: true, more: 1 }, { linkable: true }],
  ] as const) {
    await api.put(path, body('linked', { metadata }));
    assert.deepEqual((await api.get(`${path}/linked`)).body.metadata, shown);
  }
});

test('fields of a group may be named type and config', async () => {
  const json = { Main: { type: { type: 'Select', config: null }, config: { type: 'Text' } } };
  await api.put(path, body('named', { json }));
  assert.deepEqual((await api.get(`${path}/named`)).body.json, json);
});

for (const [what, change, field] of [
  ['no id', { id: undefined }, 'id'],
  ['an id of other signs', { id: 'a/b' }, 'id'],
  ['an id of 129 signs', { id: 'a'.repeat(129) }, 'id'],
  ['no label', { label: undefined }, 'label'],
  ['an unknown format', { format: 'sheet' }, 'format'],
  ['a status in words', { status: 'active' }, 'status'],
  ['no repeatable', { repeatable: undefined }, 'repeatable'],
  ['a definition that is a list', { json: [] }, 'json'],
  ['a group that is no object', { json: { Main: 'x' } }, 'json.Main'],
  ['a field without a type', { json: { Main: { title: { config: {} } } } }, 'json.Main.title.type'],
  ['a field whose type is empty', { json: { Main: { title: { type: '' } } } }, 'json.Main.title.type'],
  [
    'a config that is no object',
    { json: { Main: { title: { type: 'Text', config: 'x' } } } },
    'json.Main.title.config',
  ],
  ['a field that is no object', { json: { Main: { title: 'Text' } } }, 'json.Main.title.type'],
  ['linkable that is no boolean', { metadata: { linkable: 'no' } }, 'metadata.linkable'],
  ['a definition of more than 1 MiB', { json: { Main: { a: { type: 'x'.repeat(1024 * 1024) } } } }, 'json'],
  [
    'more than a thousand slices',
    {
      json: {
        Main: {
          body: {
            type: 'Slices',
            config: { choices: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`s${n}`, {}])) },
          },
        },
      },
    },
    'json',
  ],
] as const) {
  test(`a model with ${what} is rejected by name`, async () => {
    const answer = await api.put(path, body('refused', change), 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.deepEqual(
      answer.body.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
    await api.get(`${path}/refused`, 404);
  });
}

test('a stale version is rejected, the current one is not', async () => {
  await api.put(path, body('locked'));
  await api.put(path, body('locked', { label: 'Changed', version: 1 }));
  assert.equal((await api.put(path, body('locked', { version: 1 }), 409)).body.code, 'VERSION_CONFLICT');
  assert.equal((await api.get(`${path}/locked`)).body.version, 2);
});

test('two concurrent creates of one model produce its first and second version', async () => {
  await Promise.all(['One', 'Two'].map((label) => api.put(path, body('race', { label }))));
  assert.equal((await api.get(`${path}/race`)).body.version, 2);
});

test('models belong to the unit of their project, and its roles apply', async () => {
  const north = await createUnit(tenant, 'North');
  const site = await createProject({ business_unit_id: north });
  const models = `/api/pages/${site}/document-model`;
  await api.put(models, body('page'));
  const viewer = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const editor = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const admin = await createMember(tenant, [{ bu_id: north, role: 'admin' }]);
  const outside = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  assert.equal((await viewer.api.get(models)).body.total, 1);
  await viewer.api.get(`${models}/page`);
  await viewer.api.put(models, body('page'), 403);
  await editor.api.put(models, body('page'));
  await editor.api.delete(`${models}/page`, 403);
  for (const call of [
    outside.api.get(models, 404),
    outside.api.get(`${models}/page`, 404),
    outside.api.put(models, body('page'), 404),
    outside.api.put(models, body('new'), 404),
    outside.api.delete(`${models}/page`, 404),
  ])
    assert.equal((await call).body.code, 'NOT_FOUND');
  await admin.api.delete(`${models}/page`);
});

test('without the project every path is not found', async () => {
  const absent = `/api/pages/${randomUUID()}/document-model`;
  await api.get(absent, 404);
  await api.get(`${absent}/page`, 404);
  await api.put(absent, body('page'), 404);
  await api.delete(`${absent}/page`, 404);
});
