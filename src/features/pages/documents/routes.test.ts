import assert from 'node:assert/strict';
import test from 'node:test';
import { createProject, documentBody, projectOf } from '../../../../test/harness/documents.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const project = await createProject(api);
const { path, putDocument, putModel } = project;

const get = async (query: string, status = 200) => (await api.get(`${path}?${query}`, status)).body;
const versionsOf = async (id: string) =>
  (await api.get(`/api/entity/versions?entityType=pages_document&entitySortKey=${project.id}%23${id}`)).body;

test('a PUT creates a document, then replaces it, and every version stays readable', async () => {
  const data = '{ "b":1,\r\n "a":[1.50, 1e2],"é":"\\u00e9\u2028" , "b":2}';
  assert.deepEqual((await putDocument('home', { data })).body, { id: 'home' });
  const { created_at, updated_at, created_by_id, updated_by_id, ...created } = await get('id=home');
  assert.deepEqual(created, {
    id: 'home',
    uid: 'home',
    name: 'Document home',
    document_model_id: 'page',
    status: 'draft',
    data,
    project_id: project.id,
    version: 1,
  });
  assert.match(created_by_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual([updated_at, updated_by_id], [created_at, created_by_id]);
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  await projectOf(editor.api, project.id).putDocument('home', { status: 'live', version: 1 });
  const { version, status, ...changed } = await get('id=home');
  assert.deepEqual([version, status], [2, 'live']);
  assert.deepEqual([changed.created_by_id, changed.updated_by_id], [created_by_id, editor.userId]);
  assert.equal((await putDocument('home', { version: 1 }, 409)).body.code, 'VERSION_CONFLICT');
  const versions = await versionsOf('home');
  assert.deepEqual(
    versions.map((each: { data: object }) => each.data),
    [
      { ...created, created_at, updated_at, created_by_id, updated_by_id },
      { ...changed, version, status },
    ],
  );
});

test('a deleted document is not found, its history stays, and a new one continues its versions', async () => {
  await putDocument('gone');
  assert.deepEqual((await api.delete(`${path}/gone`)).body, { id: 'gone' });
  assert.equal((await get('id=gone', 404)).code, 'NOT_FOUND');
  assert.equal((await api.delete(`${path}/gone`, 404)).body.code, 'NOT_FOUND');
  const deleted = (await api.get('/api/entity/deleted-records?entityType=pages_document')).text;
  assert.match(deleted, new RegExp(`${project.id}#gone`));
  await putDocument('gone');
  assert.equal((await get('id=gone')).version, 2);
});

test('a GET returns the newest document that matches all parameters', async () => {
  await putModel('post');
  for (const id of ['one', 'two', 'three'])
    await putDocument(`post-${id}`, { document_model_id: 'post', uid: id });
  await putDocument('page-two', { uid: 'two' });
  assert.equal((await get('document_model_id=post')).id, 'post-three');
  assert.equal((await get('uid=two')).id, 'page-two');
  assert.equal((await get('uid=two&document_model_id=post')).id, 'post-two');
  assert.equal((await get('id=post-one&uid=one&document_model_id=post')).id, 'post-one');
  await get('id=post-one&uid=two', 404);
  await get('uid=nobody', 404);
  await get('id=not%20an%20id', 404);
  assert.equal((await get('', 400)).code, 'INVALID_REQUEST');
  assert.equal((await get('name=Home', 400)).code, 'INVALID_REQUEST');
});

test('the ETag changes when a document is written, deleted and recreated, or another one is newer', async () => {
  await putModel('held');
  await putDocument('held-1', { document_model_id: 'held' });
  const tags: string[] = [];
  const read = async () => {
    const headers = { 'if-none-match': tags.join(', ') };
    const answer = await api.send('GET', `${path}?document_model_id=held`, { headers });
    tags.push(answer.headers.get('etag') ?? '');
    return [answer.status, answer.status === 200 ? answer.body.version : answer.text];
  };
  assert.deepEqual(await read(), [200, 1]);
  assert.deepEqual(await read(), [304, '']);
  await putDocument('held-1', { document_model_id: 'held', name: 'Again' });
  assert.deepEqual(await read(), [200, 2]);
  await putDocument('held-2', { document_model_id: 'held' });
  assert.deepEqual(await read(), [200, 1]);
  await api.delete(`${path}/held-2`);
  assert.deepEqual(await read(), [304, '']);
  await api.delete(`${path}/held-1`);
  assert.equal((await read())[0], 404);
  await putDocument('held-1', { document_model_id: 'held' });
  assert.deepEqual(await read(), [200, 3]);
});

test('a document names a model of its own project', async () => {
  const other = await createProject(api);
  await other.putModel('elsewhere');
  for (const document_model_id of ['nowhere', 'elsewhere', '', 'no id!']) {
    const { code, issues } = (await putDocument('lost', { document_model_id }, 422)).body;
    assert.deepEqual([code, issues[0].field], ['VALIDATION_ERROR', 'document_model_id']);
  }
  await get('id=lost', 404);
});

test('a document whose model was deleted can be read and listed, but not written', async () => {
  await putModel('old');
  await putDocument('relic', { document_model_id: 'old' });
  await api.delete(`/api/pages/${project.id}/document-model/old`);
  assert.equal((await get('document_model_id=old')).id, 'relic');
  const filters = { document_model_id: { operation: 'eq', value: 'old' } };
  assert.equal((await project.list({ filters })).body.total, 1);
  assert.deepEqual(
    (await project.search('relic')).body.map(({ id }: { id: string }) => id),
    ['relic'],
  );
  await putDocument('relic', { document_model_id: 'old', name: 'Changed' }, 422);
});

test('a uid is unique in a model of a project, also after a replace', async () => {
  await putModel('news');
  await putDocument('first', { document_model_id: 'news', uid: 'taken' });
  const again = { document_model_id: 'news', uid: 'taken' };
  assert.equal((await putDocument('second', again, 409)).body.code, 'DUPLICATE_UID');
  await putDocument('second', { document_model_id: 'news', uid: 'free' });
  assert.equal((await putDocument('second', again, 409)).body.code, 'DUPLICATE_UID');
  await putDocument('second', { uid: 'taken' });
  await (await createProject(api)).putDocument('third', { uid: 'taken' });
});

test('a non-repeatable model has one document, also after concurrent writes', async () => {
  await putModel('front', { repeatable: false });
  const of = { document_model_id: 'front' };
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => api.send('PUT', `${path}/front-${n}`, { body: documentBody(`front-${n}`, of) })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'NOT_REPEATABLE'));
  const only = (await get('document_model_id=front')).id;
  await putDocument(only, { ...of, name: 'Changed' });
  await putDocument('other');
  assert.equal((await putDocument('other', of, 409)).body.code, 'NOT_REPEATABLE');
  await api.delete(`${path}/${only}`);
  await putDocument('other', of);
  await putModel('front', { repeatable: true });
  await putDocument('another', of);
  await putModel('front', { repeatable: false });
  await putDocument('another', { ...of, name: 'Changed' });
});

test('two concurrent creates of one document leave one with two versions', async () => {
  for (const id of ['both', 'both-2', 'both-3', 'both-4', 'both-5']) {
    await Promise.all([putDocument(id, { name: 'One' }), putDocument(id, { name: 'Two' })]);
    assert.equal((await get(`id=${id}`)).version, 2);
  }
});

for (const [what, more] of [
  ['no data', { data: undefined }],
  ['data that is no string', { data: { title: 'x' } }],
  ['data with a zero character', { data: 'a\u0000' }],
  ['an unknown status', { status: 'published' }],
  ['a uid in capitals', { uid: 'About' }],
  ['an empty uid', { uid: '' }],
  ['a uid that ends with a line feed', { uid: 'about\n' }],
  ['no name', { name: undefined }],
  ['a number for its model', { document_model_id: 5 }],
] as const) {
  test(`a document with ${what} is rejected with one error`, async () => {
    const { code, issues } = (await putDocument('wrong', more, 400)).body;
    assert.deepEqual([code, issues.length], ['INVALID_REQUEST', 1]);
  });
}

test('an invalid id is not found, whatever the operation', async () => {
  for (const id of ['a%20b', 'x'.repeat(129), 'a%2Fb', 'a%00b']) {
    const sent = { body: documentBody('x') };
    assert.ok([400, 404].includes((await api.send('PUT', `${path}/${id}`, sent)).status));
    assert.ok([400, 404].includes((await api.send('DELETE', `${path}/${id}`)).status));
  }
});

test('in a missing project nothing is found', async () => {
  const nowhere = projectOf(api, 'nowhere');
  await api.get(`${nowhere.path}?id=home`, 404);
  await nowhere.putDocument('home', {}, 404);
  await api.delete(`${nowhere.path}/home`, 404);
  await nowhere.list({}, 404);
  await api.post('/api/projects/nowhere/pages/document/search', { search: 'home' }, 404);
});

test('members reach the documents of projects of their units, according to their roles', async () => {
  const [north, south] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
  const site = await createProject(api, { business_unit_id: north });
  await site.putDocument('home');
  const stranger = await createMember(tenant, [{ bu_id: south, role: 'admin' }]);
  const foreign = projectOf(stranger.api, site.id);
  await stranger.api.get(`${site.path}?id=home`, 404);
  await foreign.list({}, 404);
  await foreign.putDocument('home', {}, 404);
  await stranger.api.delete(`${site.path}/home`, 404);
  await stranger.api.post(`/api/projects/${site.id}/pages/document/search`, { search: 'home' }, 404);
  const both = [
    { bu_id: north, role: 'viewer' },
    { bu_id: south, role: 'admin' },
  ] as const;
  const viewer = await createMember(tenant, both);
  const read = projectOf(viewer.api, site.id);
  assert.equal((await viewer.api.get(`${site.path}?id=home`)).body.id, 'home');
  assert.equal((await read.list()).body.total, 1);
  assert.equal((await read.search('home')).body.length, 1);
  await read.putDocument('home', {}, 403);
  await read.putDocument('new', { document_model_id: 'nowhere' }, 403);
  await viewer.api.delete(`${site.path}/home`, 403);
});
