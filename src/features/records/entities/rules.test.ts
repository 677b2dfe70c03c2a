/** Rules of definitions, and permissions for them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const shared = await app.createTenant();

type Values = Readonly<Record<string, unknown>>;

interface Problem {
  readonly field: string;
  readonly message: string;
}

const title = { name: 'title', type: 'string' };
const refersTo = (entity: string, more: Values = {}) => ({
  type: 'relation',
  relation: { entity, kind: 'belongs_to', ...more },
});
const inverse = (entity: string, field: string) => ({
  type: 'relation',
  relation: { entity, kind: 'has_many', field },
});

/** Returns the invalid fields of a rejected definition, and checks that nothing was stored. */
async function faultsOf(body: Values, status = 400): Promise<string[]> {
  const answer = await shared.api.post(
    '/api/entities',
    { name: 'refused', fields: [title], ...body },
    status,
  );
  assert.equal(answer.body.code, status === 400 ? 'INVALID_REQUEST' : 'VALIDATION_ERROR');
  await shared.api.get('/api/entities/refused', 404);
  return answer.body.issues.map(({ field }: Problem) => field);
}

test('a default has a maximum length, and the definitions of a tenant a total size limit', async () => {
  const text = (characters: number) => 'x'.repeat(characters - 2);
  for (const type of ['string', 'json'])
    assert.deepEqual(await faultsOf({ fields: [{ ...title, type, default: text(10_001) }] }), [
      'fields[0].default',
    ]);
  const { api } = await app.createTenant();
  const field = (n: number) => ({ name: `field_${n}`, type: 'json', default: text(10_000) });
  const fields = Array.from({ length: 200 }, (_, n) => field(n));
  for (const name of ['one', 'two', 'three']) await api.post('/api/entities', { name, fields });
  const refused = (await api.post('/api/entities', { name: 'four', fields }, 422)).body;
  assert.match(
    refused.issues[0].message,
    /^make the definitions of the tenant larger than 8000000 characters/,
  );
  await api.post('/api/entities', { name: 'four', fields: fields.slice(0, 100) });
  assert.deepEqual((await api.put('/api/entities/four', { fields }, 422)).body, refused);
});

test('names follow the specification, and none is reserved', async () => {
  for (const name of [
    '',
    'A',
    '1a',
    '_a',
    'a-b',
    'a__b',
    'a b',
    'ä',
    'a"b',
    `a${'b'.repeat(48)}`,
    'webhooks',
    7,
  ])
    assert.deepEqual(await faultsOf({ name }), ['name'], String(name));
  const reserved = [
    'id',
    'page',
    'per_page',
    'sort',
    'fields',
    'include',
    'search',
    'a__ne',
    '__proto__',
    'A',
  ];
  for (const name of reserved)
    assert.deepEqual(await faultsOf({ fields: [{ ...title, name }] }), ['fields[0].name'], name);
  const names = ['forms', 'order', 'select', 'constructor', 'a', `a${'b'.repeat(47)}`, 'pg_class', 'ends_'];
  for (const name of names) {
    const fields = [...names, 'tenant_id', 'created_at', 'search_text', 'user', 'to_string', 'prototype'].map(
      (each) => ({ ...title, name: each, indexed: true, searchable: true, max: 100 }),
    );
    await shared.api.post('/api/entities', { name, fields });
    await shared.api.delete(`/api/entities/${name}`);
  }
});

test('no field has the name of the owning unit', async () => {
  const { api } = await app.createTenant();
  const named = [title, { ...title, name: 'business_unit' }];
  const owned_by = 'business_unit';
  assert.deepEqual(await faultsOf({ fields: named, owned_by }, 422), ['fields[1].name']);
  const relation = { name: 'business_unit', ...refersTo('refused') };
  assert.deepEqual(await faultsOf({ fields: [relation], owned_by }, 422), ['fields[0].name']);
  await api.post('/api/entities', { name: 'item', fields: [title], owned_by });
  assert.equal(
    (await api.put('/api/entities/item', { fields: named }, 422)).body.issues[0].field,
    'fields[1].name',
  );
  await api.post('/api/entities', { name: 'other', fields: named });
});

test('no two fields have the same name or the same stored name', async () => {
  assert.deepEqual(await faultsOf({ fields: [title, title] }), ['fields[1].name']);
  const fields = [
    { name: 'customer_id', type: 'uuid' },
    { name: 'customer', ...refersTo('refused') },
  ];
  assert.deepEqual(await faultsOf({ fields }), ['fields[1].name']);
  assert.deepEqual(await faultsOf({ fields: fields.toReversed() }), ['fields[1].name']);
});

test('options must match the type and each other', async () => {
  const faulty: [Values, string][] = [
    [{ type: 'money' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ type: 'string', min: -1 }, 'min'],
    [{ type: 'string', min: 1.5 }, 'min'],
    [{ type: 'string', min: 3, max: 2 }, 'max'],
    [{ type: 'string', unique: true, max: 501 }, 'max'],
    [{ type: 'text', indexed: true, max: 501 }, 'max'],
    [{ type: 'string', pattern: '(' }, 'pattern'],
    [{ type: 'string', pattern: '(?=a)' }, 'pattern'],
    [{ type: 'string', pattern: '(a{500}){500}' }, 'pattern'],
    [{ type: 'string', pattern: '^a$', default: 'b' }, 'default'],
    [{ type: 'string', max: 2, default: 'abc' }, 'default'],
    [{ type: 'string', default: 1 }, 'default'],
    [{ type: 'string', enum: ['a'] }, 'enum'],
    [{ type: 'integer', min: 0.5 }, 'min'],
    [{ type: 'integer', max: 2 ** 53 }, 'max'],
    [{ type: 'integer', default: 2 ** 53 }, 'default'],
    [{ type: 'integer', default: '1' }, 'default'],
    [{ type: 'integer', pattern: 'a' }, 'pattern'],
    [{ type: 'integer', searchable: true }, 'searchable'],
    [{ type: 'number', min: 2, default: 1 }, 'default'],
    [{ type: 'boolean', default: 'true' }, 'default'],
    [{ type: 'boolean', min: 0 }, 'min'],
    [{ type: 'date', default: '2026-02-30' }, 'default'],
    [{ type: 'date', default: '0000-01-01' }, 'default'],
    [{ type: 'date', max: 3 }, 'max'],
    [{ type: 'datetime', default: '2026-02-01 12:00' }, 'default'],
    [{ type: 'datetime', default: '2026-02-01T25:00:00Z' }, 'default'],
    [{ type: 'datetime', default: '2026-01-01T00:00:00+23:00' }, 'default'],
    [{ type: 'datetime', default: '0001-01-01T00:00:00+14:00' }, 'default'],
    [{ type: 'datetime', default: '9999-12-31T23:59:59-15:00' }, 'default'],
    [{ type: 'uuid', default: 'x' }, 'default'],
    [{ type: 'text', default: 'a\0' }, 'default'],
    [{ type: 'json', default: { a: ['\ud800'] } }, 'default.a[0]'],
    [{ type: 'json', unique: true }, 'unique'],
    [{ type: 'json', indexed: true }, 'indexed'],
    [{ type: 'json', default: 'x'.repeat(10_001) }, 'default'],
    [{ type: 'enum' }, 'enum'],
    [{ type: 'enum', enum: [] }, 'enum'],
    [{ type: 'enum', enum: ['a', 'a'] }, 'enum'],
    [{ type: 'enum', enum: ['a'], default: 'b' }, 'default'],
    [{ type: 'enum', enum: ['a'], min: 1 }, 'min'],
    [{ type: 'relation' }, 'relation'],
    [{ type: 'string', relation: { entity: 'refused', kind: 'belongs_to' } }, 'relation'],
    [{ ...refersTo('refused'), default: 'x' }, 'default'],
    [refersTo('refused', { field: 'x' }), 'relation.field'],
    [refersTo('refused', { kind: 'has_many' }), 'relation.field'],
    [refersTo('refused', { kind: 'has_one' }), 'relation.kind'],
    [{ ...inverse('refused', 'x'), required: true }, 'required'],
  ];
  for (const [options, fault] of faulty) {
    const faults = await faultsOf({ fields: [{ name: 'value', ...options }] });
    assert.deepEqual(faults, [`fields[0].${fault}`], JSON.stringify(options));
  }
});

test('all issues are reported together', async () => {
  const fields = [{ ...title, min: -1 }, { name: 'id', type: 'enum' }, 7];
  const workflow = { field: 'state', initial: 'x', states: ['a'], transitions: [] };
  assert.deepEqual(await faultsOf({ fields: fields.slice(0, 2), workflow }), [
    'fields[0].min',
    'fields[1].name',
    'fields[1].enum',
    'workflow.field',
    'workflow.initial',
  ]);
  assert.deepEqual(await faultsOf({ fields }), [
    'fields[2]',
    'fields[0].min',
    'fields[1].name',
    'fields[1].enum',
  ]);
  assert.deepEqual(
    await faultsOf({ fields: Array.from({ length: 201 }, (_, n) => ({ ...title, name: `f${n}` })) }),
    ['fields'],
  );
});

test('a workflow references existing fields and states', async () => {
  const state = { name: 'state', type: 'enum', enum: ['a', 'b', 'c'] };
  const owner = { name: 'owner', type: 'string' };
  const sound = { field: 'state', initial: 'a', states: ['a', 'b'], transitions: [{ from: 'a', to: 'b' }] };
  const faulty: [Values, string][] = [
    [{ field: 'title' }, 'workflow.field'],
    [{ initial: 'c' }, 'workflow.initial'],
    [{ states: ['a', 'b', 'd'] }, 'workflow.states'],
    [{ states: ['a', 'b', 'b'] }, 'workflow.states'],
    [{ transitions: [{ from: 'a', to: 'c' }] }, 'workflow.transitions[0].to'],
    [{ transitions: [...sound.transitions, ...sound.transitions] }, 'workflow.transitions[1]'],
    [{ owner_field: 'nobody' }, 'workflow.owner_field'],
    [{ owner_field: 'state' }, 'workflow.owner_field'],
  ];
  for (const [change, fault] of faulty) {
    const body = { fields: [{ ...title, type: 'integer' }, state, owner], workflow: { ...sound, ...change } };
    assert.deepEqual(await faultsOf(body), [fault], JSON.stringify(change));
  }
  const initial = { ...state, default: 'b' };
  assert.deepEqual(await faultsOf({ fields: [initial], workflow: sound }), ['workflow.initial']);
  const workflow = { ...sound, owner_field: 'owner' };
  await shared.api.post('/api/entities', { name: 'flowing', fields: [state, owner], workflow });
  assert.deepEqual((await shared.api.get('/api/entities/flowing')).body.workflow, workflow);
});

test('a workflow is not rejected by the rules of its fields', async () => {
  const workflow = {
    field: 'state',
    initial: 'aa',
    states: ['aa', 'bbbb'],
    transitions: [],
    owner_field: 'owner',
  };
  const state = { name: 'state', type: 'string' };
  const owner = { name: 'owner', type: 'string' };
  const faulty: [Values, Values, string][] = [
    [{ min: 3 }, {}, 'workflow.states'],
    [{ max: 3 }, {}, 'workflow.states'],
    [{ pattern: '^a+$' }, {}, 'workflow.states'],
    [{}, { pattern: '^x$' }, 'workflow.owner_field'],
    [{}, { pattern: '^0' }, 'workflow.owner_field'],
    [{}, { max: 10 }, 'workflow.owner_field'],
    [{}, { min: 37 }, 'workflow.owner_field'],
  ];
  for (const [ofState, ofOwner, fault] of faulty) {
    const fields = [
      { ...state, ...ofState },
      { ...owner, ...ofOwner },
    ];
    assert.deepEqual(await faultsOf({ fields, workflow }), [fault], JSON.stringify([ofState, ofOwner]));
  }
  const fields = [
    { ...state, min: 2, max: 4, pattern: '^[ab]+$' },
    { ...owner, min: 36, max: 36, pattern: '^[0-9a-f-]+$' },
  ];
  const { owner: user } = await createRecordsTenant(app, [{ name: 'item', fields, workflow }]);
  const { id } = (await user.post('/api/item', {})).body;
  await user.post(`/api/item/${id}/workflow/take`, {});
});

test('relations reference existing entities, each other, themselves and in cycles', async () => {
  const { api } = await app.createTenant();
  assert.deepEqual(await faultsOf({ fields: [{ name: 'a', ...refersTo('nowhere') }] }, 422), [
    'fields[0].relation.entity',
  ]);
  await api.post('/api/entities', { name: 'customer', fields: [title] });
  const order = [
    title,
    { name: 'customer', ...refersTo('customer') },
    { name: 'after', ...refersTo('order') },
  ];
  await api.post('/api/entities', { name: 'order', fields: order });
  const orders = { name: 'orders', ...inverse('order', 'customer') };
  const wrong = [
    { name: 'orders', ...inverse('order', 'title') },
    { name: 'orders', ...inverse('order', 'after') },
    { name: 'orders', ...inverse('order', 'nothing') },
  ];
  for (const field of wrong) {
    const { body } = await api.put('/api/entities/customer', { fields: [title, field] }, 422);
    assert.equal(body.issues[0].field, 'fields[1].relation.field');
  }
  const favourite = { name: 'favourite', ...refersTo('order') };
  await api.put('/api/entities/customer', { fields: [title, orders, favourite] });
  const { body } = await api.put('/api/entities/order', { fields: [title] }, 422);
  assert.deepEqual(body.issues, [
    { field: 'fields', message: 'must keep customer, which customer.orders references' },
  ]);
  for (const name of ['customer', 'order'])
    assert.equal((await api.delete(`/api/entities/${name}`, 409)).body.code, 'ENTITY_IN_USE');
  for (let n = 0; n < 5; n += 1)
    await api.post('/api/entities', { name: `part_${n}`, fields: [{ name: 'of', ...refersTo('order') }] });
  const { message } = (await api.delete('/api/entities/order', 409)).body;
  assert.match(message, /^Other entities refer to this one: (\w+,? ){5}and 1 more\.$/);
  for (let n = 0; n < 5; n += 1) await api.delete(`/api/entities/part_${n}`);
  await api.put('/api/entities/customer', { fields: [title] });
  await api.delete('/api/entities/customer', 409);
  await api.delete('/api/entities/order');
  await api.delete('/api/entities/customer');
  assert.deepEqual((await api.get('/api/entities')).body, { results: [] });
});

async function historyOf({ tenantId }: TestTenant): Promise<unknown[]> {
  const all = app.app.platform.database.everyTenant('tests').query;
  const rows = await all
    .selectFrom('record_history')
    .select(['version', 'deleted'])
    .where('tenant_id', '=', tenantId)
    .where('entity_type', '=', 'entity')
    .orderBy('version')
    .orderBy('deleted')
    .execute();
  return rows.map(({ version, deleted }) => `${version}${deleted ? ' deleted' : ''}`);
}

test('definitions have versions and history; a stale version and another name are rejected', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  await api.post('/api/entities', {
    name: 'item',
    fields: [title],
    owned_by: 'business_unit',
    label: 'Item',
  });
  const stale = { fields: [title], version: 2 };
  assert.equal((await api.put('/api/entities/item', stale, 409)).body.code, 'VERSION_CONFLICT');
  for (const set of [{ name: 'other' }, { owned_by: 'tenant' }]) {
    const { body } = await api.put('/api/entities/item', { fields: [title], ...set }, 409);
    assert.equal(body.code, 'IMMUTABLE_FIELD');
  }
  const shown = (await api.get('/api/entities/item')).body;
  assert.deepEqual((await api.put('/api/entities/item', { ...shown, label: 'Thing' })).body, {
    name: 'item',
  });
  const { updated_at: _then, ...next } = (await api.get('/api/entities/item')).body;
  const { updated_at: _now, ...expected } = { ...shown, label: 'Thing', version: 2 };
  assert.deepEqual(next, expected);
  assert.equal(
    (await api.post('/api/entities', { name: 'item', fields: [] }, 409)).body.code,
    'DUPLICATE_ENTITY',
  );
  assert.deepEqual((await api.delete('/api/entities/item')).body, { name: 'item' });
  await api.delete('/api/entities/item', 404);
  await api.put('/api/entities/item', { fields: [] }, 404);
  await api.post('/api/entities', { name: 'item', fields: [] });
  assert.equal((await api.get('/api/entities/item')).body.version > 2, true);
  assert.deepEqual(await historyOf(tenant), ['1', '2', '2 deleted', '3']);
});

test('owners define entities, members read them, others see nothing', async () => {
  const tenant = await app.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: [title] });
  const grants = [{ bu_id: tenant.defaultUnitId, role: 'admin' }] as const;
  const { api } = await createMember(tenant, grants);
  assert.equal((await api.get('/api/entities')).body.results.length, 1);
  await api.get('/api/entities/item');
  await api.post('/api/entities', { name: 'other', fields: [] }, 403);
  await api.put('/api/entities/item', { fields: [] }, 403);
  await api.delete('/api/entities/item', 403);
  await shared.api.get('/api/entities/item', 404);
});
