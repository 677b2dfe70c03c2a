import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/client/v1/views';
const SCREEN = 'connections/deliveries';
const FAILED = { screen: SCREEN, name: 'Failed', query: 'filter=status is failed' };

async function save(api: Client, more: object = {}): Promise<string> {
  return (await api.post(PATH, { ...FAILED, ...more })).body.id;
}

async function namesSeenBy(api: Client): Promise<string[]> {
  const { body } = await api.get(`${PATH}?screen=${SCREEN}`);
  return body.results.map(({ name }: { name: string }) => name);
}

/** Creates a tenant with an owner, an editor and a viewer of its Default unit. */
async function createTeam() {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.get('/api/client/v1/business-units');
  const grantOf = (role: 'editor' | 'viewer') => [{ bu_id: body.default_business_unit_id, role }];
  const editor = await createMember(tenant, grantOf('editor'));
  const viewer = await createMember(tenant, grantOf('viewer'));
  return { tenant, owner: tenant.api, editor, viewer };
}

test('a view is listed with its author, and whether the caller may change it', async () => {
  const { editor, viewer } = await createTeam();
  const id = await save(editor.api, { shared: true });
  const listed = async (api: Client) => (await api.get(`${PATH}?screen=${SCREEN}`)).body.results;
  const [own] = await listed(editor.api);
  assert.deepEqual(Object.keys(own), [
    'id',
    'screen',
    'name',
    'query',
    'shared',
    'author',
    'can_change',
    'version',
    'created_at',
    'updated_at',
  ]);
  assert.deepEqual([own.id, own.query, own.shared, own.can_change], [id, FAILED.query, true, true]);
  assert.equal(own.author.membership_id, editor.membershipId);
  const [seen] = await listed(viewer.api);
  assert.equal(seen.can_change, false);
  assert.equal((await viewer.api.get(`${PATH}/${id}`)).body.name, 'Failed');
});

test('views are listed by name, and only those of the screen', async () => {
  const { owner } = await createTeam();
  await save(owner, { name: 'beta' });
  await save(owner, { name: 'Alpha' });
  await save(owner, { name: 'Elsewhere', screen: 'settings/members' });
  assert.deepEqual(await namesSeenBy(owner), ['Alpha', 'beta']);
});

test('a private view is seen, changed and deleted by nobody else but owners, and seen by its author only', async () => {
  const { owner, editor, viewer } = await createTeam();
  const id = await save(viewer.api);
  assert.deepEqual(await namesSeenBy(viewer.api), ['Failed']);
  for (const other of [owner, editor.api]) {
    assert.deepEqual(await namesSeenBy(other), []);
    await other.get(`${PATH}/${id}`, 404);
    await other.patch(`${PATH}/${id}`, { name: 'Mine now' }, 404);
    await other.delete(`${PATH}/${id}`, 404);
  }
});

test('a viewer saves views but cannot share one', async () => {
  const { viewer } = await createTeam();
  const refused = await viewer.api.post(PATH, { ...FAILED, shared: true }, 403);
  assert.equal(refused.body.code, 'FORBIDDEN');
  const id = await save(viewer.api);
  await viewer.api.patch(`${PATH}/${id}`, { shared: true }, 403);
  await viewer.api.patch(`${PATH}/${id}`, { name: 'Red ones' });
  assert.deepEqual(await namesSeenBy(viewer.api), ['Red ones']);
});

test('a shared view is changed by its author and by owners', async () => {
  const { tenant, owner, editor } = await createTeam();
  const id = await save(editor.api, { shared: true });
  const { body } = await tenant.api.get('/api/client/v1/business-units');
  const colleague = await createMember(tenant, [{ bu_id: body.default_business_unit_id, role: 'admin' }]);
  await colleague.api.patch(`${PATH}/${id}`, { name: 'Taken' }, 403);
  await colleague.api.delete(`${PATH}/${id}`, 403);
  await owner.patch(`${PATH}/${id}`, { name: 'By the owner', query: '' });
  await editor.api.patch(`${PATH}/${id}`, { name: 'By the author', version: 1 }, 409);
  await editor.api.patch(`${PATH}/${id}`, { name: 'By the author', version: 2 });
  assert.deepEqual(await namesSeenBy(colleague.api), ['By the author']);
  await owner.delete(`${PATH}/${id}`);
  assert.deepEqual(await namesSeenBy(editor.api), []);
});

test('a member without any unit sees only own views', async () => {
  const { tenant, owner } = await createTeam();
  const id = await save(owner, { shared: true });
  const outsider = await createMember(tenant, []);
  await save(outsider.api, { name: 'Mine' });
  assert.deepEqual(await namesSeenBy(outsider.api), ['Mine']);
  await outsider.api.get(`${PATH}/${id}`, 404);
});

test('the screen of a view cannot change', async () => {
  const { owner } = await createTeam();
  const id = await save(owner);
  await owner.patch(`${PATH}/${id}`, { name: 'Failed', screen: SCREEN });
  const refused = await owner.patch(`${PATH}/${id}`, { name: 'Failed', screen: 'settings/members' }, 409);
  assert.equal(refused.body.code, 'IMMUTABLE_FIELD');
});

test('the private views of a member who leaves end, and the shared ones stay without an author', async () => {
  const { owner, editor } = await createTeam();
  await save(editor.api, { name: 'Private' });
  const id = await save(editor.api, { name: 'Shared', shared: true });
  await owner.delete(`/api/client/v1/memberships/${editor.membershipId}`);
  assert.deepEqual(await namesSeenBy(owner), ['Shared']);
  const { body } = await owner.get(`${PATH}?screen=${SCREEN}`);
  assert.deepEqual([body.results[0].author, body.results[0].can_change], [null, true]);
  await owner.delete(`${PATH}/${id}`);
});

test('a screen has at most 100 views of a member', async () => {
  const { owner } = await createTeam();
  for (let each = 0; each < 100; each++) await save(owner, { name: `View ${each}` });
  const refused = await owner.post(PATH, FAILED, 422);
  assert.match(refused.body.issues[0].message, /100 views of yours of a screen; delete one first/);
  await save(owner, { screen: 'settings/members' });
});

test('views of another tenant do not exist', async () => {
  const [{ owner }, other] = [await createTeam(), await createTeam()];
  const id = await save(owner, { shared: true });
  assert.deepEqual(await namesSeenBy(other.owner), []);
  for (const key of [id, randomUUID(), 'none']) {
    await other.owner.get(`${PATH}/${key}`, 404);
    await other.owner.patch(`${PATH}/${key}`, { name: 'x' }, 404);
    await other.owner.delete(`${PATH}/${key}`, 404);
  }
});
