/** A change names the values that it deletes (docs/specification/records.md#losing-data). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

const title = { name: 'title', type: 'string' };
const note = { name: 'note', type: 'text' };
const state = { name: 'state', type: 'string' };
const parent = { name: 'parent', type: 'relation', relation: { entity: 'item', kind: 'belongs_to' } };
const workflow = { field: 'state', initial: 'new', states: ['new', 'done'], transitions: [] };
const path = '/api/entities/item';

/** Creates an entity with two records, one of them with a note and a parent. */
async function createFilled() {
  const fields = [title, note, state, parent];
  const { owner, api } = await createRecordsTenant(app, [{ name: 'item', fields, workflow }]);
  const { id } = (await owner.post('/api/item', { title: 'a', note: 'x' })).body;
  await owner.post('/api/item', { title: 'b', parent_id: id });
  return { person: owner, api, fields };
}

test('fields with values, and a workflow with states, are removed only if drop names them', async () => {
  const { person: owner, api, fields } = await createFilled();
  const before = (await api.get(path)).body;
  const refused = (await api.put(path, { fields: [title, state], workflow: null }, 409)).body;
  assert.equal(refused.code, 'WOULD_LOSE_DATA');
  assert.deepEqual(refused.issues, [
    { field: 'note', message: '1 value would be deleted' },
    { field: 'parent', message: '1 value would be deleted' },
    { field: 'workflow', message: '2 records would lose the workflow' },
  ]);
  assert.deepEqual((await api.get(path)).body, before);
  const some = (await api.put(path, { fields: [title, state], drop: ['note'] }, 409)).body;
  assert.deepEqual(
    some.issues.map(({ field }: { field: string }) => field),
    ['parent'],
  );
  await api.patch(path, { workflow: null }, 409);
  await api.patch(path, { workflow: null, drop: ['workflow'] });
  await api.patch(path, { fields: [title, state], drop: ['note', 'parent'] });
  const after = (await api.get(path)).body;
  assert.deepEqual([after.workflow, after.fields.length, fields.length], [null, 2, 4]);
  assert.equal((await owner.get('/api/item')).body.pagination.total, 2);
});

test('a field without values is removed without drop', async () => {
  const { api, fields } = await createFilled();
  const empty = { name: 'empty', type: 'integer' };
  await api.patch(path, { fields: [...fields, empty] });
  await api.patch(path, { fields });
  assert.equal((await api.get(path)).body.fields.length, 4);
});

test('an update without fields and workflow keeps them', async () => {
  const { api, fields } = await createFilled();
  await api.put(path, { label: 'Items', fields });
  await api.patch(path, { label: 'Things' });
  const { label, workflow: kept, version } = (await api.get(path)).body;
  assert.deepEqual([label, kept, version], ['Things', workflow, 3]);
});

test('an entity with records is deleted only with drop', async () => {
  const { person: owner, api } = await createFilled();
  const refused = (await api.delete(path, 409)).body;
  assert.deepEqual(refused.issues, [{ field: 'item', message: '2 records would be deleted' }]);
  await api.delete(`${path}?drop=false`, 409);
  await api.delete(`${path}?drop=maybe`, 400);
  assert.equal((await owner.get('/api/item')).body.pagination.total, 2);
  assert.deepEqual((await api.delete(`${path}?drop=true`)).body, { name: 'item' });
  await api.get(path, 404);
});
