import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();

interface Use {
  readonly type: string;
  readonly project_id: string;
  readonly id: string;
  readonly name: string;
}
const idsOf = ({ results }: { results: Use[] }) => results.map(({ type, id }) => `${type} ${id}`);

/** Creates a project of a tenant with models and documents. */
async function createSite({ api }: TestTenant, more: object = {}) {
  const metadata = { name: 'Site', description: 'A site', ...more };
  const { id } = (await api.put(`/api/pages/project_metadata/p-${randomUUID()}`, metadata)).body;
  const path = `/api/pages/${id}`;
  const zone = (ids: readonly string[]) => ({
    type: 'Slices',
    config: { choices: Object.fromEntries(ids.map((slice) => [slice, { type: 'SharedSlice' }])) },
  });
  return {
    id: String(id),
    path,
    model: (model: string, slices: readonly string[]) =>
      api.put(`${path}/document-model`, {
        id: model,
        label: `Model ${model}`,
        format: 'page',
        repeatable: true,
        status: true,
        // A zone in a nested group counts too.
        json: { Main: { rows: { type: 'Group', config: { fields: { body: zone(slices) } } } } },
      }),
    slice: (slice: string, more: object = {}) =>
      api.put(`${path}/slice-model`, { id: slice, name: `Slice ${slice}`, ...more }),
    layout: (slice: string, allow: string | readonly string[], more: object = {}) =>
      api.put(`${path}/slice-model`, {
        id: slice,
        name: `Slice ${slice}`,
        kind: 'layout',
        variations: [{ id: 'default', columns: [{ allow: '*' }, { allow }] }],
        ...more,
      }),
    document: (document: string, model: string) =>
      api.put(`${path}/document/${document}`, {
        document_model_id: model,
        uid: document,
        name: `Document ${document}`,
        status: 'live',
        data: '{"slices":["hero"]}',
      }),
    usage: async (kind: 'slice-model' | 'document-model', model: string, query = '') =>
      (await api.get(`${path}/${kind}/${model}/usage${query}`)).body,
  };
}

test('the usage of a slice lists models, slices and settings that name it, and documents of those models', async () => {
  const site = await createSite(tenant);
  await site.slice('hero');
  await site.slice('quote');
  await site.model('page', ['hero', 'quote']);
  await site.model('news', ['quote']);
  await site.layout('columns', ['hero']);
  await site.layout('any', '*');
  await tenant.api.put(`${site.path}/site-settings`, { nav_header: 'hero' });
  for (const [document, model] of [
    ['one', 'page'],
    ['two', 'page'],
    ['three', 'news'],
  ] as const)
    await site.document(document, model);
  const usage = await site.usage('slice-model', 'hero');
  assert.deepEqual(idsOf(usage), [
    'document_model page',
    'slice_model columns',
    'site_settings site_settings',
    'document two',
    'document one',
  ]);
  assert.deepEqual(usage.counts, { document_models: 1, slice_models: 1, site_settings: 1, documents: 2 });
  assert.deepEqual([usage.total, usage.totalPages], [5, 1]);
  assert.deepEqual(usage.results[0], {
    type: 'document_model',
    project_id: site.id,
    id: 'page',
    name: 'Model page',
  });
  assert.deepEqual(usage.results[3], {
    type: 'document',
    project_id: site.id,
    id: 'two',
    name: 'Document two',
    document_model_id: 'page',
    uid: 'two',
    status: 'live',
  });
  assert.deepEqual(idsOf(await site.usage('slice-model', 'quote', '?limit=3')), [
    'document_model news',
    'document_model page',
    'document three',
  ]);
});

test('the usage of a slice is paged over definitions and documents alike', async () => {
  const site = await createSite(tenant);
  await site.slice('hero');
  for (const model of ['a', 'b', 'c']) await site.model(model, ['hero']);
  for (const document of ['d1', 'd2', 'd3']) await site.document(document, 'a');
  const all = idsOf(await site.usage('slice-model', 'hero'));
  assert.equal(all.length, 6);
  const pages = [];
  for (const page of [1, 2, 3, 4])
    pages.push(idsOf(await site.usage('slice-model', 'hero', `?page=${page}&limit=2`)));
  assert.deepEqual(pages.flat(), all);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 2, 0],
  );
  assert.equal((await site.usage('slice-model', 'hero', '?page=4&limit=2')).total, 6);
});

test('each write of a definition updates its usage, and a deletion ends it', async () => {
  const site = await createSite(tenant);
  await site.slice('hero');
  await site.slice('quote');
  await site.model('page', ['hero']);
  await site.layout('columns', ['hero']);
  await site.model('page', ['quote']);
  await site.layout('columns', ['quote']);
  assert.equal((await site.usage('slice-model', 'hero')).total, 0);
  assert.deepEqual(idsOf(await site.usage('slice-model', 'quote')), [
    'document_model page',
    'slice_model columns',
  ]);
  await tenant.api.delete(`${site.path}/document-model/page`);
  await tenant.api.delete(`${site.path}/slice-model/columns`);
  assert.equal((await site.usage('slice-model', 'quote')).total, 0);
});

test('a document model is used by its documents', async () => {
  const site = await createSite(tenant);
  await site.model('page', []);
  await site.model('news', []);
  await site.document('one', 'page');
  await site.document('two', 'page');
  const usage = await site.usage('document-model', 'page', '?limit=1');
  assert.deepEqual(idsOf(usage), ['document two']);
  assert.deepEqual([usage.total, usage.totalPages, usage.counts.documents], [2, 2, 2]);
  assert.equal((await site.usage('document-model', 'news')).total, 0);
});

test('a core slice is used in every project that has no slice of its own by that id', async () => {
  const own = await app.createTenant();
  const [home, other, forked] = [await createSite(own), await createSite(own), await createSite(own)];
  await home.slice('menu', { origin: 'core' });
  await forked.slice('menu');
  for (const site of [home, other, forked]) await site.model('page', ['menu']);
  await home.layout('grid', ['menu'], { origin: 'core' });
  const projects = ({ results }: { results: Use[] }) =>
    results.map(({ type, project_id }) => [type, project_id]);
  const inAll = [home.id, other.id].sort().map((id) => ['document_model', id]);
  for (const site of [home, other])
    assert.deepEqual(projects(await site.usage('slice-model', 'menu')), [...inAll, ['slice_model', home.id]]);
  assert.deepEqual(projects(await forked.usage('slice-model', 'menu')), [
    ['document_model', forked.id],
    ['slice_model', home.id],
  ]);
});

test('members see only projects that they can reach', async () => {
  const own = await app.createTenant();
  const north = await createUnit(own, 'North');
  const [home, other] = [await createSite(own), await createSite(own, { business_unit_id: north })];
  await home.slice('menu', { origin: 'core' });
  for (const site of [home, other]) {
    await site.model('page', ['menu']);
    await site.document('one', 'page');
  }
  const { api } = await createMember(own, [{ bu_id: north, role: 'viewer' }]);
  const { body } = await api.get(`${other.path}/slice-model/menu/usage`);
  assert.deepEqual(
    body.results.map(({ type, project_id }: Use) => [type, project_id]),
    [
      ['document_model', other.id],
      ['document', other.id],
    ],
  );
  assert.equal(body.counts.documents, 1);
  await api.get(`${home.path}/slice-model/menu/usage`, 404);
  await api.get(`${home.path}/document-model/page/usage`, 404);
});

test('the usage of a missing model is not found', async () => {
  const site = await createSite(tenant);
  await site.model('page', ['ghost']);
  for (const path of [
    `${site.path}/slice-model/ghost`,
    `${site.path}/document-model/ghost`,
    '/api/pages/none/slice-model/x',
  ])
    assert.equal((await tenant.api.get(`${path}/usage`, 404)).body.code, 'NOT_FOUND');
});
