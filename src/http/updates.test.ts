/** Updates beyond the contract test of each route: PATCH bodies, missing records, concurrent updates. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, createUnit } from '../../test/harness/members.ts';
import { createRecordsTenant } from '../../test/harness/records.ts';
import { startTestApp } from '../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

async function createList(more: object = {}) {
  const { id } = (await api.post('/api/lists', { name: 'A', description: 'x', ...more })).body;
  const path = `/api/lists/${id}`;
  return { id, path, read: async () => (await api.get(path)).body };
}

test('PATCH accepts JSON and merge patches, PUT only JSON', async () => {
  const { path, read } = await createList();
  const send = (method: string, type: string, name: string) =>
    api.send(method, path, { rawBody: JSON.stringify({ name }), headers: { 'content-type': type } });
  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=utf-8',
  ]) {
    assert.equal((await send('PATCH', type, type.slice(0, 40))).status, 200, type);
    assert.equal((await read()).name, type.slice(0, 40));
  }
  assert.equal((await send('PUT', 'application/merge-patch+json', 'x')).status, 415);
  assert.equal((await send('PATCH', 'application/json-patch+json', 'x')).status, 415);
});

test('PATCH requires an object as its body, and validates the given members', async () => {
  const { path, read } = await createList();
  const before = await read();
  for (const body of [[], 'x', 1, null]) await api.patch(path, body, 400);
  assert.equal((await api.send('PATCH', path)).status, 400);
  const { issues } = (await api.patch(path, { name: '', description: 1 }, 400)).body;
  assert.deepEqual(
    issues.map(({ field }: { field: string }) => field),
    ['name', 'description'],
  );
  assert.deepEqual(await read(), before);
});

test('PATCH creates no record where PUT does', async () => {
  const path = `/api/pages/project_metadata/site-${randomUUID()}`;
  await api.patch(path, { name: 'Site' }, 404);
  await api.put(path, { name: 'Site', description: 'A site' });
  const models = path.replace('project_metadata/', '').concat('/document-model');
  await api.patch(models, { id: 'page', label: 'Page' }, 404);
  await api.patch(models, { label: 'Page' }, 400);
  await api.patch(path, { name: 'Store' });
  assert.equal((await api.get(path)).body.description, 'A site');
});

test("concurrent updates keep each other's members", async () => {
  const { path, read } = await createList();
  const colours = Array.from({ length: 8 }, (_, n) => `Name ${n}`);
  await Promise.all([
    ...colours.map((name) => api.patch(path, { name })),
    api.patch(path, { description: 'kept' }),
  ]);
  const { name, description, version } = await read();
  assert.ok(colours.includes(name), name);
  assert.deepEqual([description, version], ['kept', 10]);
});

test('a stale version is rejected, even if nothing else would change', async () => {
  const { path } = await createList();
  await api.patch(path, { name: 'B', version: 1 });
  await api.patch(path, { name: 'B', version: 2 });
  for (const name of ['B', 'C'])
    assert.equal((await api.patch(path, { name, version: 1 }, 409)).body.code, 'VERSION_CONFLICT');
});

test('an update without changes is rejected for a caller who may not update', async () => {
  const north = await createUnit(tenant, 'North');
  const south = await createUnit(tenant, 'South');
  const { path } = await createList({ business_unit: north });
  const viewer = await createMember(tenant, [
    { bu_id: north, role: 'viewer' },
    { bu_id: south, role: 'editor' },
  ]);
  const stranger = await createMember(tenant, [{ bu_id: south, role: 'editor' }]);
  for (const body of [{}, { name: 'A' }, { name: 'B' }]) {
    await viewer.api.patch(path, body, 403);
    await stranger.api.patch(path, body, 404);
  }
  await viewer.api.put(path, { name: 'A' }, 403);
});

test('an invalid owner or key is rejected, even if nothing else changes', async () => {
  const { path, read } = await createList();
  const unit = await createUnit(tenant, 'East');
  assert.equal((await api.patch(path, { business_unit: unit }, 409)).body.code, 'OWNER_IMMUTABLE');
  await api.patch(path, { business_unit: (await read()).business_unit });
  assert.equal((await read()).version, 1);
  await api.post('/api/entities', { name: 'thing', fields: [] });
  assert.equal((await api.patch('/api/entities/thing', { name: 'x' }, 409)).body.code, 'IMMUTABLE_FIELD');
});

test('a record of an entity accepts its own GET response, and a PATCH', async () => {
  const title = { name: 'title', type: 'string', required: true };
  const note = { name: 'note', type: 'text' };
  const { owner } = await createRecordsTenant(app, [{ name: 'item', fields: [title, note] }]);
  const { id } = (await owner.post('/api/item', { title: 'a', note: 'x' })).body;
  const path = `/api/item/${id}`;
  const before = (await owner.get(path)).body;
  const after = (await owner.put(path, before)).body;
  assert.deepEqual({ ...after, _updated_at: before._updated_at }, before);
  assert.equal((await owner.patch(path, { note: null })).body.note, null);
  assert.equal((await owner.get(path)).body.title, 'a');
});
