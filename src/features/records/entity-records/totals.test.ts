import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant, createSignedInMember } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const OWN = {
  name: 'own',
  owned_by: 'business_unit',
  fields: [{ name: 'title', type: 'string', unique: true }],
};
const SHARED = { name: 'shared', fields: OWN.fields };
const tenant = await createRecordsTenant(app, [SHARED, OWN]);
const [north, south] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
const { person: northerner } = await createSignedInMember(tenant, [{ bu_id: north, role: 'admin' }]);
const { person: southerner } = await createSignedInMember(tenant, [{ bu_id: south, role: 'admin' }]);
const { person: both } = await createSignedInMember(tenant, [
  { bu_id: north, role: 'admin' },
  { bu_id: south, role: 'viewer' },
]);

/** Returns the stored total, from a page that is too small to count; a filter forces a count instead. */
async function totalOf(person: Client, entity: string, filter = ''): Promise<number> {
  return (await person.get(`/api/${entity}?per_page=1${filter}`)).body.pagination.total;
}

function records(count: number, prefix: string): object[] {
  return Array.from({ length: count }, (_, place) => ({ title: `${prefix} ${place}` }));
}

test('the stored total equals a count after creates, bulk creates and deletes', async () => {
  const person = northerner;
  const [first, second] = [
    await person.post('/api/shared', { title: 'first' }),
    await person.post('/api/shared', { title: 'second' }),
  ];
  await person.post('/api/shared', { title: 'first' }, 409);
  const { ids } = (await person.post('/api/shared/bulk', { records: records(20, 'bulk') })).body;
  await person.post('/api/shared/bulk', { records: records(2, 'bulk') }, 400);
  assert.equal(await totalOf(person, 'shared'), 22);
  await person.put(`/api/shared/${first.body.id}`, { title: 'changed' });
  await person.put('/api/shared/bulk', { filter: { title__like: 'bulk' }, update: { title: null } });
  await person.delete(`/api/shared/${second.body.id}`);
  await person.delete(`/api/shared/${second.body.id}`, 404);
  const removed = await person.send('DELETE', '/api/shared/bulk', { body: { ids: ids.slice(0, 5) } });
  assert.equal(removed.status, 200);
  const refused = await person.send('DELETE', '/api/shared/bulk', { body: { ids: [ids[6], ids[0]] } });
  assert.equal(refused.status, 400);
  assert.equal(await totalOf(person, 'shared'), 16);
  assert.equal(await totalOf(person, 'shared', '&id__ne=00000000-0000-7000-8000-000000000000'), 16);
});

test('records owned by units are counted for callers who can read their unit', async () => {
  await northerner.post('/api/own/bulk', { records: records(3, 'north') });
  const { ids } = (await southerner.post('/api/own/bulk', { records: records(5, 'south') })).body;
  await southerner.delete(`/api/own/${ids[0]}`);
  assert.deepEqual(
    [await totalOf(northerner, 'own'), await totalOf(southerner, 'own'), await totalOf(both, 'own')],
    [3, 4, 7],
  );
  assert.equal(await totalOf(tenant.owner, 'own'), 7);
});

test('concurrent writers lose no count', async () => {
  const before = await totalOf(northerner, 'shared');
  const created = await Promise.all(
    records(60, 'at once').map(async (record) => (await northerner.post('/api/shared', record)).body.id),
  );
  await Promise.all(created.slice(0, 25).map((id) => northerner.delete(`/api/shared/${id}`)));
  assert.equal(await totalOf(northerner, 'shared'), before + 35);
});

test('an entity recreated under the same name starts at zero', async () => {
  const again = { ...SHARED, name: 'again' };
  await tenant.api.post('/api/entities', again);
  await tenant.owner.post('/api/again/bulk', { records: records(4, 'old') });
  await tenant.api.delete('/api/entities/again?drop=true');
  await tenant.api.post('/api/entities', again);
  await tenant.owner.post('/api/again/bulk', { records: records(2, 'new') });
  assert.equal(await totalOf(tenant.owner, 'again'), 2);
});
