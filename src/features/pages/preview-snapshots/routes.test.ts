import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createProject } from '../../../../test/harness/documents.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { snapshotRetention } from './resource.ts';

let ahead = 0;
const { app, anonymous, createTenant } = await startOwnApp({}, { clock: () => new Date(Date.now() + ahead) });
const tenant = await createTenant();
const { api } = tenant;
const HOUR_MS = 60 * 60 * 1000;

const take = async (project: string, document: string, snapshot = '{"title":"Not yet"}') =>
  (await api.post(`/api/pages/${project}/document/${document}/preview-snapshot`, { snapshot })).body.token;
const path = (token: string) => `/api/pages/preview/${token}`;
/** `<kind>_<tenant>_<secret>`; only the secret may contain underscores. */
const partsOf = (token: string) => {
  const [kind = '', of = '', ...rest] = token.split('_');
  return { kind, of, secret: rest.join('_') };
};

test('anybody with the token can read the snapshot without a key, and no cache stores it', async () => {
  const { id, putDocument } = await createProject(api);
  await putDocument('home', { uid: 'start' });
  const snapshot = 'not even {JSON} \\ "ü" \n';
  const token = await take(id, 'home', snapshot);
  const answer = await anonymous.send('GET', path(token));
  const { created_at, updated_at, ...read } = answer.body;
  assert.deepEqual(read, {
    token,
    project_id: id,
    document_id: 'home',
    document_model_id: 'page',
    uid: 'start',
    snapshot,
  });
  assert.equal(created_at, updated_at);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('a document that was never saved has a snapshot without model and uid', async () => {
  const { id } = await createProject(api);
  const read = (await anonymous.get(path(await take(id, 'new')))).body;
  assert.deepEqual([read.document_id, read.document_model_id, read.uid], ['new', null, null]);
});

test('a page of any origin may read a snapshot', async () => {
  const { id } = await createProject(api);
  const headers = { origin: 'https://site.example' };
  const answer = await anonymous.send('GET', path(await take(id, 'home')), { headers });
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://site.example');
});

test('every token is unique, and only its digest is stored', async () => {
  const { id } = await createProject(api);
  const tokens = [await take(id, 'home', 'a'), await take(id, 'home', 'b')];
  assert.equal(new Set(tokens).size, 2);
  const stored = await app.platform.database
    .everyTenant('tests')
    .query.selectFrom('page_preview_snapshots')
    .selectAll()
    .where('project_id', '=', id)
    .execute();
  const { secret } = partsOf(tokens[0]);
  assert.ok(!JSON.stringify(stored).includes(secret));
  assert.equal(stored.length, 2);
});

test('unknown, malformed and expired tokens get the same response', async () => {
  const { id } = await createProject(api);
  const token = await take(id, 'home');
  const { kind, of, secret } = partsOf(token);
  const altered = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
  const others = [
    'nonsense',
    `${kind}_${of}_${altered}`,
    `${kind}_${randomUUID().replaceAll('-', '')}_${secret}`,
    `tsr_${of}_${secret}`,
    `${token}a`,
  ];
  const answers = [];
  for (const each of others) answers.push((await anonymous.get(path(each), 404)).body);
  ahead = 24 * HOUR_MS + 1000;
  answers.push((await anonymous.get(path(token), 404)).body);
  ahead = 0;
  assert.equal((await anonymous.get(path(token))).body.token, token);
  assert.deepEqual(new Set(answers.map((each) => JSON.stringify(each))).size, 1);
});

test('expired snapshots are removed', async () => {
  const { id } = await createProject(api);
  const token = await take(id, 'home');
  await snapshotRetention.removeOld(app.platform);
  await anonymous.get(path(token));
  ahead = 25 * HOUR_MS;
  await snapshotRetention.removeOld(app.platform);
  ahead = 0;
  await anonymous.get(path(token), 404);
});

test('snapshots are deleted with their project, and not copied', async () => {
  const { id } = await createProject(api);
  const token = await take(id, 'home');
  const meta = `/api/pages/project_metadata/${id}`;
  const { id: copy } = (await api.post(`${meta}/duplicate`, { name: 'Copy' })).body;
  await api.delete(meta);
  await anonymous.get(path(token), 404);
  await api.put(meta, { name: 'Again', description: '' });
  await anonymous.get(path(token), 404);
  const left = await app.platform.database
    .everyTenant('tests')
    .query.selectFrom('page_preview_snapshots')
    .select('project_id')
    .where('project_id', 'in', [id, copy])
    .execute();
  assert.deepEqual(left, []);
});

test('a snapshot needs a text of limited size, an existing project and the role of an editor', async () => {
  const { id } = await createProject(api);
  const at = (project: string, document = 'home') =>
    `/api/pages/${project}/document/${document}/preview-snapshot`;
  for (const body of [{}, { snapshot: {} }, { snapshot: 'x'.repeat(4 * 1024 * 1024 + 1) }])
    assert.equal((await api.post(at(id), body, 400)).body.issues[0].field, 'snapshot');
  await api.post(at(`site-${randomUUID()}`), { snapshot: '' }, 404);
  await api.post(at(id, 'a%20b'), { snapshot: '' }, 404);
  const { api: viewer } = await createMember(tenant, [
    { bu_id: tenant.defaultUnitId, role: 'viewer' },
    { bu_id: await createUnit(tenant, `Unit ${randomUUID()}`), role: 'editor' },
  ]);
  await viewer.post(at(id), { snapshot: '' }, 403);
});
