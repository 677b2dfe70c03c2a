/** Changes of definitions that have records. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { insertRow, readColumn } from '../../../../test/harness/entity-rows.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const { database } = app.app.platform;

type Values = Readonly<Record<string, unknown>>;

interface Problem {
  readonly field: string;
  readonly message: string;
}

const insert = (tenant: TestTenant, entity: string, values: Values) =>
  insertRow(database, tenant, entity, values);
const valuesOf = (tenant: TestTenant, entity: string, column: string) =>
  readColumn(database, tenant, entity, column);

async function define(fields: readonly Values[], rest: Values = {}): Promise<TestTenant> {
  const tenant = await app.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields, ...rest });
  return tenant;
}

/** Returns why a change is rejected, and checks that it changed nothing. */
async function refused(tenant: TestTenant, fields: readonly Values[], rest: Values = {}): Promise<string[]> {
  const before = (await tenant.api.get('/api/entities/item')).body;
  const { body } = await tenant.api.put('/api/entities/item', { fields, ...rest }, 422);
  assert.equal(body.code, 'VALIDATION_ERROR');
  assert.deepEqual((await tenant.api.get('/api/entities/item')).body, before);
  return body.issues.map(({ field, message }: Problem) => `${field}: ${message}`);
}

async function change(tenant: TestTenant, fields: readonly Values[], rest: Values = {}): Promise<void> {
  const before = (await tenant.api.get('/api/entities/item')).body;
  const drop = [...before.fields.map(({ name }: { name: string }) => name), 'workflow'];
  await tenant.api.put('/api/entities/item', { fields, drop, ...rest });
}

const title = { name: 'title', type: 'string' };

test('added fields leave records unchanged, apart from defaults', async () => {
  const tenant = await define([title]);
  await insert(tenant, 'item', { f_title: 'a' });
  await change(tenant, [
    title,
    { name: 'note', type: 'text' },
    { name: 'count', type: 'integer', required: true, default: 7 },
    { name: 'price', type: 'number', default: 0.1 },
    { name: 'seen', type: 'boolean', required: true, default: false },
    { name: 'rank', type: 'integer', default: 3 },
    { name: 'day', type: 'date', default: '2026-02-28' },
    { name: 'at', type: 'datetime', default: '2026-02-28T12:00:00+02:00' },
    { name: 'more', type: 'json', default: { a: ["it's", '\\', null] } },
    { name: 'word', type: 'string', default: "it's \\ ' $1 ?" },
  ]);
  const expected: [string, unknown][] = [
    ['title', 'a'],
    ['note', null],
    ['count', 7],
    ['price', 0.1],
    ['seen', false],
    ['at', '2026-02-28T10:00:00.000Z'],
    ['more', { a: ["it's", '\\', null] }],
    ['word', "it's \\ ' $1 ?"],
  ];
  for (const [name, value] of expected)
    assert.deepEqual(await valuesOf(tenant, 'item', `f_${name}`), [value], name);
  // A write by the previous definition does not name the new fields, like a request that began before the change.
  await insert(tenant, 'item', { f_title: 'b' });
  for (const [name, value] of expected.slice(1))
    assert.deepEqual((await valuesOf(tenant, 'item', `f_${name}`))[1], value, name);
  // The default does not fit the type that the field changes to.
  await change(tenant, [title, { name: 'rank', type: 'string' }]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_rank'), ['3', '3']);
});

test('a number converted to a text has no exponent', async () => {
  const { owner, ...tenant } = await createRecordsTenant(app, [
    { name: 'item', fields: [title, { name: 'n', type: 'number' }] },
  ]);
  const numbers = [1e15, 1e21, -1e16, 1e-7, 0.1, 1.5, -0, 123456789012345680000, 5e-10, 2 ** 53];
  for (const n of numbers) await owner.post('/api/item', { title: 'a', n });
  await change(tenant, [title, { name: 'n', type: 'string' }]);
  const texts = (await valuesOf(tenant, 'item', 'f_n')).map(String);
  assert.deepEqual(texts.toSorted(), [
    ...['-10000000000000000', '0', '0.0000000005', '0.0000001', '0.1', '1.5', '1000000000000000'],
    ...['1000000000000000000000', '123456789012345680000', '9007199254740992'],
  ]);
});

test('a default gives the same value as a body', async () => {
  const usual = {
    day: ['date', '2026-01-31'],
    midnight: ['datetime', '2026-01-31'],
    without_zone: ['datetime', '2026-01-31T10:00'],
    exact: ['datetime', '2026-01-31T10:00:00.123999+05:30'],
    key: ['uuid', '0198C6C4-0000-7000-8000-00000000ABCD'],
    large: ['number', 1e21],
    whole: ['integer', -0],
    more: ['json', { 'b c': [1e21, null], a: 'é' }],
  };
  const fields = Object.entries(usual).map(([name, [type, value]]) => ({ name, type, default: value }));
  const { owner, ...tenant } = await createRecordsTenant(app, [{ name: 'item', fields: [title] }]);
  const { id } = (await owner.post('/api/item', { title: 'a' })).body;
  await change(tenant, [title, ...fields]);
  const filled = (await owner.get(`/api/item/${id}`)).body;
  const bare = fields.map(({ default: _default, ...field }) => field);
  const plain = await createRecordsTenant(app, [{ name: 'item', fields: bare }]);
  const defaults = Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));
  const expected = (await plain.owner.post('/api/item', defaults)).body;
  const created = (await owner.post('/api/item', {})).body;
  for (const name of Object.keys(usual))
    assert.deepEqual([filled[name], created[name]], [expected[name], expected[name]], name);
  for (const name of ['midnight', 'exact', 'key'])
    for (const value of [defaults[name], expected[name]])
      assert.equal(
        (await owner.get(`/api/item?${name}=${encodeURIComponent(String(value))}`)).body.pagination.total,
        2,
        name,
      );
});

test('a new required field needs a default, with or without records', async () => {
  const tenant = await define([title]);
  const fields = [title, { name: 'code', type: 'string', required: true }];
  assert.deepEqual(await refused(tenant, fields), [
    'fields[1].default: is required for a new required field: it is set in existing records',
  ]);
});

test('a new required relation is rejected if there are records', async () => {
  const tenant = await define([title]);
  const parent = {
    name: 'parent',
    type: 'relation',
    required: true,
    relation: { entity: 'item', kind: 'belongs_to' },
  };
  await change(tenant, [title, parent]);
  await change(tenant, [title]);
  for (const f_title of ['a', 'b']) await insert(tenant, 'item', { f_title });
  assert.deepEqual(await refused(tenant, [title, parent]), ['parent_id: 2 records without a value']);
  await change(tenant, [title, { ...parent, required: false }]);
});

test('a new workflow sets existing records to the initial state', async () => {
  const workflow = {
    field: 'state',
    initial: 'a',
    states: ['a', 'b'],
    transitions: [{ from: 'a', to: 'b' }],
  };
  for (const required of [true, false]) {
    const tenant = await createRecordsTenant(app, [{ name: 'item', fields: [title] }]);
    const { id } = (await tenant.owner.post('/api/item', { title: 'a' })).body;
    const state = { name: 'state', type: 'enum', enum: ['a', 'b', 'c'], required };
    await change(tenant, [title, state], { workflow });
    assert.equal((await tenant.owner.get(`/api/item/${id}`)).body.state, 'a');
    assert.equal((await tenant.owner.post(`/api/item/${id}/workflow/move`, { to: 'b' })).body.state, 'b');
    assert.equal((await tenant.owner.post('/api/item', { title: 'b' })).body.state, 'a');
  }
});

test('a removed field loses its values, and a new field of that name is empty', async () => {
  const tenant = await define([title, { name: 'note', type: 'text' }]);
  await insert(tenant, 'item', { f_title: 'a', f_note: 'n' });
  await change(tenant, [title]);
  await assert.rejects(valuesOf(tenant, 'item', 'f_note'), /does not exist/);
  await change(tenant, [title, { name: 'note', type: 'text' }]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_note'), [null]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_title'), ['a']);
});

test('a table can run out of column numbers, and the error names the next step', async () => {
  const fieldsOf = (turn: number) =>
    Array.from({ length: 199 }, (_, n) => ({ name: `field_${turn}_${n}`, type: 'integer' }));
  const tenant = await define([title, ...fieldsOf(0)]);
  await insert(tenant, 'item', { f_title: 'kept' });
  for (let turn = 1; turn <= 7; turn += 1) await change(tenant, [title, ...fieldsOf(turn)]);
  assert.deepEqual(await refused(tenant, [title, ...fieldsOf(8)]), [
    'fields: need 199 columns, but the table has 1 left because removed columns count too; define a new entity and copy the records',
  ]);
  await change(tenant, [{ ...title, max: 10 }]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_title'), ['kept']);
});

test('a rule that records violate is rejected with their number, and nothing changes', async () => {
  const fields = [title, { name: 'count', type: 'integer' }, { name: 'kind', type: 'string' }];
  const tenant = await define(fields);
  for (const [f_title, f_count, f_kind] of [
    ['same', 1, 'a'],
    ['same', 20, 'b'],
    ['a longer one', 300, null],
  ])
    await insert(tenant, 'item', { f_title, f_count, f_kind });
  const tightened = [
    { ...title, unique: true, max: 5, pattern: '^[a-z]+$' },
    { name: 'count', type: 'integer', min: 2, max: 299 },
    { name: 'kind', type: 'enum', enum: ['a'], required: true },
    { name: 'extra', type: 'integer', default: 1, unique: true },
  ];
  assert.deepEqual(await refused(tenant, tightened), [
    'title: 1 record not matching the pattern',
    'title: 1 record above the maximum length 5',
    'title: 2 records with a value that other records have too',
    'count: 1 record below the minimum value 2',
    'count: 1 record above the maximum value 299',
    'kind: 1 record without a value',
    'kind: 1 record with a value that is not allowed',
    'extra: 3 records with a value that other records have too',
  ]);
  await change(tenant, [
    { ...title, max: 12, pattern: '^[a-z ]+$', indexed: true },
    { name: 'count', type: 'integer', min: 1, max: 300, required: true, unique: true },
    { name: 'kind', type: 'enum', enum: ['a', 'b'] },
  ]);
  await assert.rejects(insert(tenant, 'item', { f_count: 20 }), { constraint: 'item__count__unique' });
  await assert.rejects(insert(tenant, 'item', { f_count: 301 }), { constraint: 'item__count__max' });
  await assert.rejects(insert(tenant, 'item', { f_count: 2, f_kind: 'c' }), {
    constraint: 'item__kind__enum',
  });
  await assert.rejects(insert(tenant, 'item', {}), { column: 'f_count' });
  await change(tenant, fields);
  await insert(tenant, 'item', { f_count: 20, f_kind: 'c', f_title: 'LONGER THAN TWELVE' });
});

test('a field can change its type if all values can be converted', async () => {
  const types = [
    'string',
    'text',
    'integer',
    'number',
    'boolean',
    'date',
    'datetime',
    'json',
    'uuid',
    'enum',
  ];
  const values: Readonly<Record<string, unknown>> = {
    string: '12',
    text: '12',
    integer: 12,
    number: 12,
    boolean: true,
    date: '2026-01-31',
    datetime: '2026-01-31T12:00:00.000Z',
    json: '12',
    uuid: '0198c6c4-0000-7000-8000-000000000001',
    enum: '12',
  };
  const into: Readonly<Record<string, string>> = {
    string: 'text integer number json enum',
    text: 'string integer number json enum',
    integer: 'string text number json enum',
    number: 'string text integer json enum',
    boolean: 'string text json',
    date: 'string text json datetime',
    datetime: 'string text json',
    json: 'string text integer number enum',
    uuid: 'string text json',
    enum: 'string text integer number json',
  };
  for (const from of types) {
    const tenant = await define(types.map((to) => fieldOf(to, from)));
    const columns = (value: unknown) => Object.fromEntries(types.map((to) => [`f_to_${to}`, value]));
    await insert(tenant, 'item', columns(values[from]));
    await insert(tenant, 'item', columns(null));
    const takes = (to: string) => to === from || into[from]?.split(' ').includes(to) === true;
    assert.deepEqual(
      await refused(
        tenant,
        types.map((to) => fieldOf(to, to)),
      ),
      types.filter((to) => !takes(to) && to !== 'enum').map((to) => `to_${to}: 1 record cannot become ${to}`),
      from,
    );
    await change(
      tenant,
      types.filter(takes).map((to) => fieldOf(to, to)),
    );
  }
});

/** Returns a field that is named after its new type. */
function fieldOf(to: string, type: string): Values {
  return { name: `to_${to}`, type, ...(type === 'enum' ? { enum: ['12'] } : {}) };
}

test('a text that only PostgreSQL accepts as a date, number or boolean is not converted', async () => {
  const tenant = await define([title]);
  const texts = [
    'now',
    'infinity',
    'NaN',
    'yes',
    ' 1',
    '1_000',
    '9007199254740992',
    '2026-02-30',
    '1e999',
    '0x10',
  ];
  for (const f_title of texts) await insert(tenant, 'item', { f_title });
  for (const type of ['integer', 'date', 'datetime', 'boolean', 'uuid'])
    assert.deepEqual(await refused(tenant, [{ ...title, type }]), [
      `title: ${texts.length} records cannot become ${type}`,
    ]);
  assert.deepEqual(await refused(tenant, [{ ...title, type: 'number' }]), [
    `title: ${texts.length - 1} records cannot become number`,
  ]);
});

test('a text is converted to the same time as in a body', async () => {
  const tenant = await createRecordsTenant(app, [{ name: 'item', fields: [title] }]);
  const { owner } = tenant;
  const texts: Readonly<Record<string, string | null>> = {
    '2026-01-01T00:00:00.123456Z': '2026-01-01T00:00:00.123Z',
    '2026-01-01T00:00:59.9999999Z': '2026-01-01T00:00:59.999Z',
    '2026-01-01T10:00+05:30': '2026-01-01T04:30:00.000Z',
    '2026-01-01T10:00': '2026-01-01T10:00:00.000Z',
    '2026-01-01': '2026-01-01T00:00:00.000Z',
    '2026-01-01 10:00': null,
    '2026-01-01T10:00+05': null,
    '2026-01-01T10:00+16:00': null,
    '2026-01-01T10:00:60Z': null,
    '0001-01-01T00:00:00+14:00': null,
    '9999-12-31T23:59:59-15:00': null,
  };
  const ids = new Map<string, string>();
  for (const text of Object.keys(texts))
    ids.set(text, (await owner.post('/api/item', { title: text })).body.id);
  const moment = { ...title, type: 'datetime' };
  assert.deepEqual(await refused(tenant, [moment]), ['title: 6 records cannot become datetime']);
  for (const [text, shown] of Object.entries(texts))
    if (shown === null) await owner.delete(`/api/item/${ids.get(text)}`);
  await change(tenant, [moment]);
  for (const [text, shown] of Object.entries(texts)) {
    const { status, body } = await owner.send('POST', '/api/item', { body: { title: text } });
    assert.deepEqual([status, body.title], shown === null ? [400, undefined] : [200, shown], text);
    if (shown === null) continue;
    assert.equal((await owner.get(`/api/item/${ids.get(text)}`)).body.title, shown);
    const found = await owner.get(`/api/item?title=${encodeURIComponent(shown)}`);
    assert.equal(found.body.pagination.total, 2, text);
  }
});

test('a whole number is converted to an integer', async () => {
  const tenant = await createRecordsTenant(app, [
    { name: 'item', fields: [{ name: 'title', type: 'number' }] },
  ]);
  const { owner } = tenant;
  const most = Number.MAX_SAFE_INTEGER;
  for (const value of [1e15, -most, most, -0, 0.5, most + 1]) await owner.post('/api/item', { title: value });
  const integer = { name: 'title', type: 'integer' };
  assert.deepEqual(await refused(tenant, [integer]), ['title: 2 records cannot become integer']);
  await owner.put('/api/item/bulk', { filter: { title__in: [0.5, most + 1] }, update: { title: null } });
  await change(tenant, [integer]);
  const { data } = (await owner.get('/api/item?sort=title')).body;
  assert.deepEqual(
    data.map((each: Values) => each.title),
    [-most, 0, 1e15, most, null, null],
  );
});

test('values are converted together with the rules of the new type', async () => {
  const tenant = await define([{ ...title, unique: true, min: 1, searchable: true }]);
  for (const f_title of ['1', '2', '03']) await insert(tenant, 'item', { f_title });
  const numbers = { name: 'title', type: 'integer', unique: true, min: 1, max: 3, required: true };
  await change(tenant, [numbers]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_title'), [1, 2, 3]);
  // A connection with a statement prepared for the text type fails once.
  await insert(tenant, 'item', { f_title: 3 }).catch((error) =>
    assert.match(error.code, /^(?:42804|23505)$/),
  );
  await assert.rejects(insert(tenant, 'item', { f_title: 3 }), { constraint: 'item__title__unique' });
  await change(tenant, [{ ...title, searchable: true }]);
  assert.deepEqual(await valuesOf(tenant, 'item', 'f_title'), ['1', '2', '3']);
  assert.deepEqual(await valuesOf(tenant, 'item', 'search_text'), ["'1':1", "'2':1", "'3':1"]);
});

test('values that become equal by conversion are rejected in a unique field', async () => {
  const tenant = await define([{ ...title, unique: true }]);
  for (const f_title of ['1', '01']) await insert(tenant, 'item', { f_title });
  assert.deepEqual(await refused(tenant, [{ name: 'title', type: 'integer', unique: true }]), [
    'title: 2 records with a value that other records have too',
  ]);
});

test('relations are foreign keys in the database', async () => {
  const tenant = await define([title]);
  const parent = await insert(tenant, 'item', { f_title: 'parent' });
  const uuid = { name: 'item_id', type: 'uuid' };
  await tenant.api.post('/api/entities', { name: 'part', fields: [uuid] });
  await insert(tenant, 'part', { f_item_id: randomUUID() });
  await insert(tenant, 'part', { f_item_id: parent });
  const relation = { name: 'item', type: 'relation', relation: { entity: 'item', kind: 'belongs_to' } };
  const { body } = await tenant.api.put('/api/entities/part', { fields: [relation] }, 422);
  assert.deepEqual(body.issues, [
    { field: 'item_id', message: '1 record referencing a missing record of item' },
  ]);
  await sql`delete from ${sql.id(schemaOf(tenant.tenantId), 'part')} where f_item_id <> ${parent}`.execute(
    database.forTenant(tenant.tenantId),
  );
  await tenant.api.put('/api/entities/part', { fields: [relation] });
  await assert.rejects(insert(tenant, 'part', { f_item_id: randomUUID() }), {
    constraint: 'part__item_id__refers',
  });
  const removal = sql`delete from ${sql.id(schemaOf(tenant.tenantId), 'item')}`;
  await assert.rejects(removal.execute(database.forTenant(tenant.tenantId)), {
    constraint: 'part__item_id__refers',
  });
});

test('a state that records have cannot be removed from a workflow', async () => {
  const state = { name: 'state', type: 'string' };
  const states = (...names: string[]) => ({
    workflow: { field: 'state', initial: 'a', states: names, transitions: [] },
  });
  const tenant = await define([state], states('a', 'b'));
  await insert(tenant, 'item', { f_state: 'b' });
  assert.deepEqual(await refused(tenant, [state], states('a', 'c')), [
    'state: 1 record with a value that is not allowed',
  ]);
  await change(tenant, [state], states('a', 'b', 'c'));
  await change(tenant, [state], { workflow: null });
  await insert(tenant, 'item', { f_state: 'anything' });
});
