import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember, createUnit } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { createSubscriber, getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();
const IMPORT = '/api/subscribers/import';
type Api = Pick<TestTenant, 'api'>;

async function upload({ api }: Api, query: string, file: string | Buffer, type = 'text/csv', status = 200) {
  const options = { rawBody: file, headers: { 'content-type': type } };
  return (await api.post(`${IMPORT}?${query}`, undefined, status, options)).body;
}

/** Returns the result of a completed import. */
async function over({ api }: Api, importId: string) {
  return eventually('the import', async () => {
    const { body } = await api.get(`${IMPORT}/${importId}`);
    return ['completed', 'failed'].includes(body.status) ? body : null;
  });
}

async function run(tenant: Api, query: string, file: string | Buffer, type?: string) {
  return over(tenant, (await upload(tenant, query, file, type)).import_id);
}

/** Returns the subscriber with an address. */
async function find({ api }: Api, email: string) {
  const filters = { email: { operation: 'eq', value: email } };
  const { results } = (await api.post('/api/subscribers/list', { page: 1, limit: 2, filters })).body;
  return results.length === 0 ? null : (await api.get(`/api/subscribers/${results[0].id}`)).body;
}

async function total({ api }: Api): Promise<number> {
  return (await api.post('/api/subscribers/list', { page: 1, limit: 1, filters: {} })).body.total;
}

async function createList({ api }: Api, path = '/api/lists'): Promise<string> {
  return (await api.post(path, { name: 'News' })).body.id;
}

async function countOf({ api }: Api, listId: string): Promise<number> {
  return (await api.get(`/api/lists/${listId}`)).body.subscriber_count;
}

test('a file creates subscribers like a POST of each row', async () => {
  const tenant = await app.createTenant();
  const [list, other] = [await createList(tenant), await createList(tenant)];
  const audience = await createList(tenant, '/api/audiences');
  const file = [
    'email,first_name,last_name,active,inactive_reason,lists,audiences,additional_fields_data.city,visits',
    ` Ada@Example.COM ,Ada,Lovelace,TRUE,,${list};${other},${audience},London,3`,
    'bob@example.com,Bob,,no,asked,,,,',
    'cy@example.com,Cy,,,,,,,',
  ].join('\n');
  const result = await run(tenant, `mode=insert&list_id=${list}`, file);
  assert.deepEqual(result, {
    ...{ status: 'completed', total: 3, created: 3, updated: 0, failed: 0 },
    errors: [],
  });
  const ada = await find(tenant, 'Ada@Example.COM');
  const { id, created_at, lists, ...rest } = ada;
  assert.deepEqual(lists.toSorted(), [list, other].toSorted());
  assert.deepEqual(rest, {
    ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'Ada@Example.COM' },
    ...{ active: true, inactive_reason: null, audiences: [audience] },
    additional_fields_data: { city: 'London', visits: '3' },
    ...{ subscription_preferences: [], business_unit: tenant.defaultUnitId, version: 1 },
    updated_at: created_at,
  });
  const bob = await find(tenant, 'bob@example.com');
  assert.deepEqual([bob.active, bob.inactive_reason, bob.lists], [false, 'asked', [list]]);
  assert.deepEqual((await find(tenant, 'cy@example.com')).active, true);
  assert.deepEqual(
    [await countOf(tenant, list), await countOf(tenant, other), await total(tenant)],
    [3, 1, 3],
  );
  const path = `/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`;
  const versions = (await tenant.api.get(path)).body;
  assert.deepEqual([versions.length, versions[0].data], [1, ada]);
  const { api } = tenant;
  assert.equal(
    (await api.post('/api/subscribers', { ...rest, lists, email: 'ADA@example.com' }, 409)).body.code,
    'DUPLICATE_EMAIL',
  );
});

test('invalid rows fail alone and are reported with their first line', async () => {
  const tenant = await app.createTenant();
  await createSubscriber(tenant, { email: 'old@example.com' });
  const file = [
    'email,first_name,lists,active',
    'ada@example.com,"Ada\nMaria",,',
    'nobody,Bob,,',
    ',Bob,,',
    'cy@example.com,,,',
    `dee@example.com,Dee,${randomUUID()},`,
    'eve@example.com,Eve,,maybe',
    'fay@example.com,Fay,,,x',
    'OLD@example.com,Old,,',
    'gil@example.com,Gil\0,,',
    'hal@example.com,Hal,,false',
    'ida@example.com,"Ida',
  ].join('\r\n');
  const { errors, ...counts } = await run(tenant, 'mode=insert', file);
  assert.deepEqual(counts, { status: 'completed', total: 11, created: 2, updated: 0, failed: 9 });
  assert.deepEqual(errors, [
    { line: 4, column: 'email', message: 'email must be a valid email address' },
    { line: 5, column: 'email', message: 'email must be a valid email address' },
    { line: 7, column: 'lists', message: 'lists[0] must reference an existing list' },
    { line: 8, column: 'active', message: 'active must be boolean' },
    { line: 9, message: 'has 5 cells where the header has 4' },
    { line: 10, column: 'email', message: 'email is the address of an existing subscriber' },
    { line: 11, column: 'first_name', message: 'first_name must not contain the character U+0000' },
    { line: 12, column: 'inactive_reason', message: 'inactive_reason is required when active is false' },
    { line: 13, column: 'first_name', message: 'first_name has an unclosed quote' },
  ]);
  assert.equal((await find(tenant, 'cy@example.com')).first_name, 'cy', 'who has no name gets one');
  assert.equal(await total(tenant), 3);
});

test('an invalid address is the only error of a row without a name', async () => {
  const tenant = await app.createTenant();
  const { errors } = await run(tenant, 'mode=upsert', 'email,city\nnobody,Rome\n,Oslo\n@x.example,Bonn\n');
  const message = 'email must be a valid email address';
  assert.deepEqual(
    errors,
    [2, 3, 4].map((line) => ({ line, column: 'email', message })),
  );
});

test('an upsert changes only the columns of the file', async () => {
  const tenant = await app.createTenant();
  const [kept, joined] = [await createList(tenant), await createList(tenant)];
  const { id, body } = await createSubscriber(tenant, {
    email: 'ada@example.com',
    ...{ active: false, inactive_reason: 'asked', lists: [kept] },
    additional_fields_data: { city: 'Paris', visits: 3, gone: true },
  });
  const file =
    'email,additional_fields_data.city,gone,new\nADA@example.com,London,,1\nbob@example.com,Rome,,2\n';
  const result = await run(tenant, `mode=upsert&list_id=${joined}`, file);
  assert.deepEqual([result.created, result.updated, result.failed], [1, 1, 0]);
  const after = await getSubscriber(tenant, id);
  assert.deepEqual(after.lists.toSorted(), [kept, joined].toSorted());
  assert.deepEqual(
    [after.first_name, after.last_name, after.email],
    [body.first_name, body.last_name, 'ADA@example.com'],
  );
  assert.deepEqual([after.active, after.inactive_reason, after.version], [false, 'asked', 2]);
  assert.deepEqual(after.additional_fields_data, { city: 'London', visits: 3, new: '1' });
  assert.equal(await countOf(tenant, joined), 2);

  const second = `email,active,lists\nada@example.com,true,${joined}\n`;
  assert.equal((await run(tenant, 'mode=upsert', second)).updated, 1);
  const active = await getSubscriber(tenant, id);
  assert.deepEqual([active.active, active.inactive_reason, active.lists], [true, null, [joined]]);
  assert.deepEqual(
    [await countOf(tenant, kept), await countOf(tenant, joined), await total(tenant)],
    [0, 2, 2],
  );
});

test('a later row of an address changes the result of an earlier one', async () => {
  const file = `email,first_name\na@example.com,One\nb@example.com,${'B'.repeat(201)}\nA@Example.com,Two\nb@example.com,Bob\na@example.com,Three`;
  const tenant = await app.createTenant();
  const inserted = await run(tenant, 'mode=insert', file);
  assert.deepEqual([inserted.created, inserted.failed], [2, 3]);
  assert.deepEqual(
    inserted.errors.map(({ line }: { line: number }) => line),
    [3, 4, 6],
  );
  assert.equal((await find(tenant, 'a@example.com')).first_name, 'One');
  const other = await app.createTenant();
  const upserted = await run(other, 'mode=upsert', file);
  assert.deepEqual([upserted.created, upserted.updated, upserted.failed], [2, 2, 1]);
  const { first_name, version } = await find(other, 'a@example.com');
  assert.deepEqual([first_name, version], ['Three', 3]);
});

test('lines of JSON are bodies of subscribers', async () => {
  const tenant = await app.createTenant();
  const types = [{ id: 'news', name: 'News', description: 'x', active: true }];
  await tenant.api.put('/api/email_settings', {
    ...{ sender_identities: [], whitelist_recipient_rules: [], subscription_types: types },
    subscriber_additional_fields: { visits: { label: 'Visits', type: 'number', order: 1 } },
  });
  const list = await createList(tenant);
  const choice = { subscription_type_id: 'news', subscribe: false };
  const lines = [
    { email: 'ada@example.com', first_name: 'Ada', lists: [list], subscription_updates: [choice] },
    { email: 'bob@example.com', first_name: 'Bob', last_name: null, additional_fields_data: { visits: 3 } },
    { email: 'cy@example.com', first_name: 'Cy', additional_fields_data: { visits: 'many' } },
    {
      email: 'dee@example.com',
      first_name: 'Dee',
      subscription_updates: [{ ...choice, subscription_type_id: 'x' }],
    },
    [],
    { email: 5, first_name: 'Eve' },
  ];
  const file = `${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n{"email":\n`;
  const { errors, ...counts } = await run(tenant, 'mode=insert', file, 'application/x-ndjson');
  assert.deepEqual(counts, { status: 'completed', total: 7, created: 2, updated: 0, failed: 5 });
  assert.deepEqual(errors, [
    {
      line: 3,
      column: 'additional_fields_data.visits',
      message: 'additional_fields_data.visits must be a number',
    },
    {
      ...{ line: 4, column: 'subscription_updates' },
      message: 'subscription_updates[0].subscription_type_id must reference an existing subscription type',
    },
    { line: 5, message: 'is not a JSON object' },
    { line: 6, column: 'email', message: 'email must be string' },
    { line: 8, message: 'The body is not valid JSON.' },
  ]);
  const ada = await find(tenant, 'ada@example.com');
  assert.deepEqual([ada.lists, ada.subscription_preferences[0].subscribed], [[list], false]);
  assert.deepEqual((await find(tenant, 'bob@example.com')).additional_fields_data, { visits: 3 });
});

test('cells of defined additional fields are parsed by their type', async () => {
  const tenant = await app.createTenant();
  const field = (type: string) => ({ label: type, type, order: 1 });
  await tenant.api.put('/api/email_settings', {
    ...{ sender_identities: [], whitelist_recipient_rules: [], subscription_types: [] },
    subscriber_additional_fields: {
      n: field('number'),
      b: field('boolean'),
      d: field('date'),
      t: field('text'),
    },
  });
  // In the format of a spreadsheet with decimal commas.
  const file =
    '\ufeffemail;first_name;n;b;d;t;free\r\nada@example.com;Ada;1.5;Yes;2026-01-31;7;"1,5;2"\r\nbob@example.com;Bob;1,5;perhaps;soon;;\r\n';
  const { created, errors } = await run(tenant, 'mode=insert', file);
  assert.equal(created, 1);
  assert.deepEqual(errors, [
    {
      line: 3,
      column: 'n',
      message:
        'additional_fields_data.n must be a number; additional_fields_data.b must be true or false; additional_fields_data.d must be an ISO 8601 date',
    },
  ]);
  const ada = await find(tenant, 'ada@example.com');
  assert.deepEqual(ada.additional_fields_data, { n: 1.5, b: true, d: '2026-01-31', t: '7', free: '1,5;2' });
});

test('an unreadable file is refused, and imports nothing', async () => {
  const tenant = await app.createTenant();
  const refused = async (query: string, file: string | Buffer) => {
    const { code, issues } = await upload(tenant, query, file, 'text/csv', 400);
    return [code, issues[0].field ?? issues[0].message];
  };
  assert.deepEqual(await refused('mode=insert', 'first_name\nAda'), ['INVALID_REQUEST', 'email']);
  assert.deepEqual(await refused('mode=upsert', ''), ['INVALID_REQUEST', 'email']);
  assert.deepEqual(await refused('mode=upsert', 'email,city,city\n'), ['INVALID_REQUEST', 'city']);
  assert.deepEqual(await refused('mode=replace', 'email\n'), ['INVALID_REQUEST', 'mode']);
  assert.deepEqual(await refused('', 'email\n'), ['INVALID_REQUEST', 'mode']);
  for (const list of [randomUUID(), 'none'])
    assert.deepEqual(await refused(`mode=upsert&list_id=${list}`, 'email\n'), ['INVALID_REQUEST', 'list_id']);
  const broken = Buffer.concat([Buffer.from('email,é,ü'), Buffer.from([0xff, 0x0a])]);
  assert.deepEqual(await refused('mode=upsert', broken), [
    'INVALID_REQUEST',
    'The header, in its column 3, (line 1) is not UTF-8.',
  ]);
  await upload(tenant, 'mode=upsert', 'email\n', 'text/csv; charset=klingon', 415);
  await upload(tenant, 'mode=upsert', '{}', 'application/json', 415);
  assert.equal(await total(tenant), 0);
});

test('a file of a spreadsheet is imported, with any encoding and line ends', async () => {
  const tenant = await app.createTenant();
  const rows =
    'sep=;\rE-Mail ; First Name;city\r;;\r ju@example.com ;Jürgen\r"an@example.com" ;"Anna\rMaria"; Köln \r';
  const files = [
    Buffer.from(`\ufeff${rows}`, 'utf16le'),
    Buffer.from(rows, 'latin1'),
    rows.replaceAll('\r', '\r\n'),
  ];
  for (const [index, file] of files.entries()) {
    const { total, failed, created, updated } = await run(tenant, 'mode=upsert', file);
    assert.deepEqual([total, failed, created, updated], [2, 0, index === 0 ? 2 : 0, index === 0 ? 0 : 2]);
    assert.equal((await find(tenant, 'ju@example.com')).first_name, 'Jürgen');
    const anna = await find(tenant, 'an@example.com');
    assert.equal(anna.first_name.replace('\r\n', '\r'), 'Anna\rMaria');
    assert.deepEqual(anna.additional_fields_data, { city: 'Köln' });
  }
});

test('a prototype key as a column is rejected by row, as in a body', async () => {
  const tenant = await app.createTenant();
  const { errors } = await run(
    tenant,
    'mode=upsert',
    'email,additional_fields_data.__proto__\nada@example.com,x\n',
  );
  assert.deepEqual(errors, [{ line: 2, message: 'must not have a column "__proto__"' }]);
});

test('a file without rows imports nothing', async () => {
  const tenant = await app.createTenant();
  const nothing = { status: 'completed', total: 0, created: 0, updated: 0, failed: 0, errors: [] };
  assert.deepEqual(await run(tenant, 'mode=upsert', 'email\n'), nothing);
  assert.deepEqual(await run(tenant, 'mode=insert', '', 'application/x-ndjson'), nothing);
});

test('of more than a thousand errors, the first thousand are reported and all are counted', async () => {
  const tenant = await app.createTenant();
  const { errors, failed } = await run(tenant, 'mode=upsert', `email\n${'nobody\n'.repeat(2100)}`);
  assert.deepEqual([errors.length, errors[999].line, failed], [1000, 1001, 2100]);
});

test('new subscribers belong to the unit of a POST, or to the unit of their row', async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const file = `email,first_name,business_unit\nada@example.com,Ada,\nada@example.com,Ada,north\nbob@example.com,Bob,none\n`;
  const { created, errors } = await run(tenant, 'mode=insert', file);
  assert.equal(created, 2);
  assert.deepEqual(errors, [
    {
      line: 4,
      column: 'business_unit',
      message: 'business_unit must reference a unit in which you are an editor',
    },
  ]);
  const member = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  assert.equal(await total(member), 1);
  const own = await run(member, 'mode=upsert', 'email,last_name\nada@example.com,North\n');
  assert.equal(own.updated, 1);
  assert.equal((await find(member, 'ada@example.com')).last_name, 'North');
  const viewer = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  await upload(viewer, 'mode=upsert', 'email\n', 'text/csv', 403);
});

test('an import is visible to callers who can read its unit', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const { import_id } = await upload(tenant, 'mode=upsert', 'email\n');
  await other.api.get(`${IMPORT}/${import_id}`, 404);
  const unit = await createUnit(tenant, 'South');
  const member = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  await member.api.get(`${IMPORT}/${import_id}`, 404);
  await tenant.api.get(`${IMPORT}/${import_id}`);
});
