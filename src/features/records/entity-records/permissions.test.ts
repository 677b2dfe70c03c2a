import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { actingIn, createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant, createSignedInMember } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createRecordsTenant(app, [
  { name: 'shared', fields: [{ name: 'title', type: 'string', unique: true }] },
  {
    name: 'own',
    owned_by: 'business_unit',
    fields: [
      { name: 'title', type: 'string', unique: true },
      { name: 'parent', type: 'relation', relation: { entity: 'own', kind: 'belongs_to' } },
      { name: 'state', type: 'string' },
      { name: 'holder', type: 'uuid' },
    ],
    workflow: {
      field: 'state',
      initial: 'new',
      states: ['new', 'read'],
      transitions: [{ from: 'new', to: 'read' }],
      owner_field: 'holder',
    },
  },
  {
    name: 'link',
    fields: [{ name: 'target', type: 'relation', relation: { entity: 'own', kind: 'belongs_to' } }],
  },
]);
const [north, south] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
const people = {
  viewer: await createSignedInMember(tenant, [{ bu_id: north, role: 'viewer' }]),
  editor: await createSignedInMember(tenant, [{ bu_id: north, role: 'editor' }]),
  admin: await createSignedInMember(tenant, [{ bu_id: north, role: 'admin' }]),
  southerner: await createSignedInMember(tenant, [{ bu_id: south, role: 'admin' }]),
  both: await createSignedInMember(tenant, [
    { bu_id: north, role: 'viewer' },
    { bu_id: south, role: 'editor' },
  ]),
  nobody: await createSignedInMember(tenant, []),
};
const [viewer, editor, admin] = [people.viewer.person, people.editor.person, people.admin.person];
const [southerner, both, ungranted] = [people.southerner.person, people.both.person, people.nobody.person];

test("every member reads the tenant's records, editors write and admins delete them", async () => {
  const { id } = (await editor.post('/api/shared', { title: 'one' })).body;
  for (const person of [viewer, editor, admin, southerner]) {
    assert.equal((await person.get(`/api/shared/${id}`)).body.title, 'one');
    assert.equal((await person.get('/api/shared')).body.pagination.total, 1);
  }
  await viewer.post('/api/shared', { title: 'two' }, 403);
  await viewer.put(`/api/shared/${id}`, { title: 'two' }, 403);
  await viewer.put('/api/shared/bulk', { filter: { id }, update: { title: 'x' } }, 403);
  await southerner.put(`/api/shared/${id}`, { title: 'south' });
  await editor.delete(`/api/shared/${id}`, 403);
  assert.equal((await editor.send('DELETE', '/api/shared/bulk', { body: { ids: [id] } })).status, 403);
  await admin.delete(`/api/shared/${id}`);
});

test('a member without a unit can neither see nor write anything', async () => {
  const { id } = (await editor.post('/api/shared', { title: 'hidden' })).body;
  assert.equal((await ungranted.get('/api/shared')).body.pagination.total, 0);
  await ungranted.get(`/api/shared/${id}`, 404);
  await ungranted.post('/api/shared', { title: 'x' }, 403);
  await ungranted.post('/api/own', { title: 'x' }, 403);
  assert.equal((await ungranted.get('/api/own')).body.pagination.total, 0);
});

test('only members of a unit see its records', async () => {
  const created = (await editor.post('/api/own', { title: 'north' })).body;
  assert.equal(created.business_unit, north);
  for (const person of [viewer, both]) await person.get(`/api/own/${created.id}`);
  for (const [method, path, body] of [
    ['GET', ''],
    ['PUT', '', { title: 'x' }],
    ['DELETE', ''],
    ['POST', '/workflow/take', {}],
    ['POST', '/workflow/move', { to: 'read' }],
  ] as const) {
    const responses = [];
    for (const id of [created.id, randomUUID()]) {
      const answer = await southerner.send(method, `/api/own/${id}${path}`, { body });
      responses.push({ status: answer.status, body: answer.body });
    }
    assert.equal(responses[0]?.status, 404, `${method} ${path}`);
    assert.deepEqual(responses[0], responses[1], `${method} ${path}`);
  }
  assert.equal((await southerner.get('/api/own')).body.pagination.total, 0);
  assert.equal((await southerner.get(`/api/own?business_unit=${north}`)).body.pagination.total, 0);
  assert.equal((await viewer.get(`/api/own?business_unit=${north}`)).body.pagination.total, 1);
  assert.equal((await viewer.get('/api/own?business_unit=anything')).body.pagination.total, 0);
  for (const person of [viewer, both]) {
    await person.put(`/api/own/${created.id}`, { title: 'x' }, 403);
    await person.post(`/api/own/${created.id}/workflow/take`, {}, 403);
    await person.post(`/api/own/${created.id}/workflow/move`, { to: 'read' }, 403);
  }
  await editor.delete(`/api/own/${created.id}`, 403);
  await southerner.put('/api/own/bulk', { filter: { title: 'north' }, update: { title: 'x' } });
  const { title, state, holder } = (await viewer.get(`/api/own/${created.id}`)).body;
  assert.deepEqual([title, state, holder], ['north', 'new', null]);
  const taken = (await editor.post(`/api/own/${created.id}/workflow/take`, {})).body;
  assert.equal(taken.holder, taken._updated_by);
  assert.equal(
    (await editor.post(`/api/own/${created.id}/workflow/move`, { to: 'read' })).body.state,
    'read',
  );
  await admin.delete(`/api/own/${created.id}`);
});

test('a new record belongs to the Active unit, or to the one in the body', async () => {
  assert.equal((await both.post('/api/own', { title: 'a' }, 400)).body.error, 'bad_request');
  assert.equal(
    (await both.post('/api/own', { title: 'a', business_unit: 'south' })).body.business_unit,
    south,
  );
  await both.post('/api/own', { title: 'b', business_unit: north }, 403);
  await both.post('/api/own', { title: 'b', business_unit: 'elsewhere' }, 403);
  await both.post('/api/own', { title: 'b', business_unit: 7 }, 400);
  const key = await actingIn(people.southerner.api, south);
  const active = southerner.with({ 'x-business-unit': key.headers['x-business-unit'] ?? '' });
  assert.equal((await active.post('/api/own', { title: 'c' })).body.business_unit, south);
  assert.equal(
    (await tenant.owner.post('/api/own', { title: 'd' })).body.business_unit,
    tenant.defaultUnitId,
  );
  const { ids } = (
    await tenant.owner.post('/api/own/bulk', {
      records: [
        { title: 'e', business_unit: north },
        { title: 'f', business_unit: south },
      ],
    })
  ).body;
  assert.equal((await southerner.get(`/api/own?id__in=${ids}`)).body.pagination.total, 1);
});

test('a record stays in its unit', async () => {
  const { id } = (await editor.post('/api/own', { title: 'stay' })).body;
  await editor.put(`/api/own/${id}`, { title: 'stays', business_unit: 'north' });
  assert.equal(
    (await tenant.owner.put(`/api/own/${id}`, { business_unit: south }, 409)).body.error,
    'conflict',
  );
});

test('a relation to a record of another unit counts as missing and is not included', async () => {
  const foreign = (await southerner.post('/api/own', { title: 'foreign' })).body.id;
  const absent = '00000000-0000-7000-8000-000000000000';
  const responses = [];
  for (const target_id of [foreign, absent]) {
    responses.push((await editor.post('/api/link', { target_id }, 400)).body);
    const many = await editor.post('/api/link/bulk', { records: [{}, { target_id }] }, 400);
    assert.equal(many.body.errors[0].field, 'records[1].target_id');
  }
  assert.deepEqual(responses[0], responses[1]);
  assert.equal(responses[0].errors[0].field, 'target_id');
  const { id } = (await southerner.post('/api/link', { target_id: foreign })).body;
  await editor.put(`/api/link/${id}`, { target_id: foreign }, 400);
  const seen = (await editor.get(`/api/link/${id}?include=target`)).body;
  assert.deepEqual([seen.target_id, seen.target], [foreign, null]);
  assert.equal((await southerner.get(`/api/link/${id}?include=target`)).body.target.title, 'foreign');
});

test('ids of units in which the caller may not delete stop a deletion', async () => {
  const [one, other] = [
    (await editor.post('/api/own', { title: 'del 1' })).body.id,
    (await southerner.post('/api/own', { title: 'del 2' })).body.id,
  ];
  const answer = await southerner.send('DELETE', '/api/own/bulk', { body: { ids: [other, one] } });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.errors, [
    { field: 'ids[1]', message: 'must be the id of an existing record' },
  ]);
  await southerner.get(`/api/own/${other}`);
});

test("another tenant's entities and records are not found", async () => {
  const other = await createRecordsTenant(app, [
    { name: 'shared', fields: [{ name: 'title', type: 'string' }] },
  ]);
  const { id } = (await editor.post('/api/shared', { title: 'mine' })).body;
  await other.owner.get(`/api/shared/${id}`, 404);
  await other.owner.put(`/api/shared/${id}`, { title: 'x' }, 404);
  await other.owner.delete(`/api/shared/${id}`, 404);
  assert.equal((await other.owner.get('/api/shared')).body.pagination.total, 0);
  await other.owner.get('/api/own', 404);
});

test('a bulk update may name the unit of all its records, and no other', async () => {
  const { body } = await both.post('/api/own', { title: 'of south', business_unit: south });
  const filter = { id: body.id };
  const update = { title: 'of the south' };
  await both.put('/api/own/bulk', { filter, update: { ...update, business_unit: north } }, 409);
  await both.put('/api/own/bulk', { filter, update: { ...update, business_unit: 5 } }, 400);
  await both.put(`/api/own/${body.id}`, { business_unit: 5 }, 400);
  assert.equal((await both.get(`/api/own/${body.id}`)).body.title, 'of south');
  const named = await both.put('/api/own/bulk', { filter, update: { ...update, business_unit: south } });
  assert.equal(named.body.updated, 1);
});

test('a value used in another, invisible unit is reported with its record', async () => {
  await southerner.post('/api/own', { title: 'taken in the south' });
  const records = [{ title: 'free' }, { title: 'taken in the south' }];
  const { body } = await admin.post('/api/own/bulk', { records }, 400);
  assert.equal(body.errors[0].field, 'records[1].title');
});
