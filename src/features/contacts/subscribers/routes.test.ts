import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createSubscriber, getSubscriber, subscriberBody } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/subscribers';

const TYPES = ['news', 'offers'].map((id) => ({ id, name: id, description: '', active: true }));
const FIELDS = {
  city: { label: 'City', type: 'text', order: 1 },
  visits: { label: 'Visits', type: 'number', order: 2 },
  member: { label: 'Member', type: 'boolean', order: 3 },
  born: { label: 'Born', type: 'date', order: 4 },
};

/** Defines two subscription types and four fields for a tenant. */
async function define({ api }: TestTenant): Promise<void> {
  await api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: TYPES,
    subscriber_additional_fields: FIELDS,
  });
}

async function createGroup({ api }: TestTenant, kind: 'lists' | 'audiences'): Promise<string> {
  return (await api.post(`/api/${kind}`, { name: 'Group' })).body.id;
}

async function list({ api }: Pick<TestTenant, 'api'>, filters: object, more: object = {}) {
  return (await api.post(`${PATH}/list`, { page: 1, limit: 100, filters, ...more })).body;
}

/** Returns the first names in a list. */
async function names(tenant: TestTenant, filters: object, more: object = {}): Promise<string[]> {
  const { results } = await list(tenant, filters, more);
  return results.map((each: { first_name: string }) => each.first_name);
}

/** Returns the rejected records and their invalid fields. */
async function faultsOf({ api }: TestTenant, body: object): Promise<string[]> {
  const answer = await api.post(PATH, body, 400);
  assert.equal(answer.body.code, 'INVALID_SUBSCRIBER');
  return answer.body.issues.map(({ field }: { field: string }) => field);
}

test('a subscriber is returned as written, and its versions stay in history', async () => {
  const tenant = await app.createTenant();
  const [listId, audienceId] = [await createGroup(tenant, 'lists'), await createGroup(tenant, 'audiences')];
  const { id, body } = await createSubscriber(tenant, {
    email: ' Ada@Example.com ',
    lists: [listId],
    audiences: [audienceId],
    additional_fields_data: { visits: 3, city: 'London', member: true },
  });
  const read = await getSubscriber(tenant, id);
  assert.deepEqual(read, {
    id,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'Ada@Example.com',
    active: true,
    inactive_reason: null,
    audiences: [audienceId],
    lists: [listId],
    additional_fields_data: { visits: 3, city: 'London', member: true },
    subscription_preferences: [],
    business_unit: tenant.defaultUnitId,
    version: 1,
    created_at: read.created_at,
    updated_at: read.created_at,
  });
  const changed = { ...body, lists: [], version: 1 };
  assert.deepEqual((await tenant.api.put(`${PATH}/${id}`, changed)).body, { id });
  assert.equal((await tenant.api.put(`${PATH}/${id}`, changed, 409)).body.code, 'VERSION_CONFLICT');
  const { body: versions } = await tenant.api.get(
    `/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`,
  );
  assert.deepEqual(
    versions.map(({ data }: { data: { lists: string[] } }) => data.lists),
    [[listId], []],
  );
});

test('optional fields can be absent', async () => {
  const tenant = await app.createTenant();
  const { id } = await createSubscriber(tenant, { last_name: undefined });
  const read = await getSubscriber(tenant, id);
  assert.deepEqual([read.last_name, read.additional_fields_data], [null, {}]);
});

test('an invalid subscriber is refused with all errors', async () => {
  const tenant = await app.createTenant();
  assert.deepEqual((await faultsOf(tenant, {})).sort(), [
    'active',
    'audiences',
    'email',
    'first_name',
    'lists',
  ]);
  assert.deepEqual(await faultsOf(tenant, subscriberBody({ email: 'nobody', active: false })), [
    'email',
    'inactive_reason',
  ]);
  assert.deepEqual(await faultsOf(tenant, subscriberBody({ first_name: '' })), ['first_name']);
  assert.deepEqual(await faultsOf(tenant, subscriberBody({ additional_fields_data: { a: null } })), [
    'additional_fields_data.a',
  ]);
  const names = { 'a b': 1, [`${'x'.repeat(65)}`]: 1, [`${'x'.repeat(64)}`]: 1, Straße: 1 };
  assert.deepEqual(await faultsOf(tenant, subscriberBody({ additional_fields_data: names })), [
    'additional_fields_data.a b',
    `additional_fields_data.${'x'.repeat(65)}`,
    'additional_fields_data.Straße',
  ]);
  const groups = { lists: ['nonsense'], audiences: [crypto.randomUUID()] };
  assert.deepEqual(await faultsOf(tenant, subscriberBody(groups)), ['lists[0]', 'audiences[0]']);
});

test('a reason stays while a subscriber is inactive, and is removed on reactivation', async () => {
  const tenant = await app.createTenant();
  const { id, body } = await createSubscriber(tenant, { active: false, inactive_reason: 'asked by phone' });
  assert.equal((await getSubscriber(tenant, id)).inactive_reason, 'asked by phone');
  await tenant.api.put(`${PATH}/${id}`, { ...body, active: true });
  assert.equal((await getSubscriber(tenant, id)).inactive_reason, null);
});

test('an address identifies one subscriber of a unit, in any letter case; another unit has its own', async () => {
  const tenant = await app.createTenant();
  const { id, body } = await createSubscriber(tenant);
  const again = { ...body, email: ` ${body.email.toUpperCase()}` };
  const other = await createSubscriber(tenant);
  for (const refused of [
    await tenant.api.post(PATH, again, 409),
    await tenant.api.put(`${PATH}/${other.id}`, again, 409),
  ]) {
    assert.equal(refused.body.code, 'DUPLICATE_EMAIL');
    assert.deepEqual(refused.body.issues, [
      { field: 'email', message: 'is the address of another subscriber', id },
    ]);
  }
  await tenant.api.post(PATH, { ...body, business_unit: await createUnit(tenant, 'North') });
  assert.equal((await list(tenant, {})).total, 3, 'what is refused is not counted');
});

test('of two concurrent creates of one address, one succeeds', async () => {
  const tenant = await app.createTenant();
  const body = subscriberBody();
  const answers = await Promise.all([1, 2].map(() => tenant.api.send('POST', PATH, { body })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('values of defined fields match their definitions; others can have any type', async () => {
  const tenant = await app.createTenant();
  await define(tenant);
  const wrong = { city: 1, visits: '3', member: 'yes', born: 'long ago', other: 'x' };
  assert.deepEqual(await faultsOf(tenant, subscriberBody({ additional_fields_data: wrong })), [
    'additional_fields_data.city',
    'additional_fields_data.visits',
    'additional_fields_data.member',
    'additional_fields_data.born',
  ]);
  const right = { city: 'Paris', visits: 3, member: false, born: '1990-05-06', other: 1.5 };
  const { id } = await createSubscriber(tenant, { additional_fields_data: right });
  assert.deepEqual((await getSubscriber(tenant, id)).additional_fields_data, right);
});

test('choices are stored with their dates, and repeating one changes nothing', async () => {
  const tenant = await app.createTenant();
  await define(tenant);
  const { id, body } = await createSubscriber(tenant);
  const choose = async (subscription_type_id: string, subscribe: boolean) => {
    await tenant.api.put(`${PATH}/${id}`, {
      ...body,
      subscription_updates: [{ subscription_type_id, subscribe }],
    });
    return (await getSubscriber(tenant, id)).subscription_preferences;
  };
  const { created_at: createdAt } = await getSubscriber(tenant, id);
  const [left] = await choose('news', false);
  assert.deepEqual([left.subscription_type_id, left.subscribed], ['news', false]);
  assert.equal(left.subscribed_date, createdAt);
  assert.ok(left.unsubscribed_date > createdAt);
  assert.deepEqual(await choose('news', false), [left]);
  const [back, more] = await choose('offers', true);
  assert.deepEqual([back, more.subscription_type_id], [left, 'offers']);
  const [returned] = await choose('news', true);
  assert.deepEqual([returned.subscribed, returned.unsubscribed_date], [true, null]);
  const unknown = { ...body, subscription_updates: [{ subscription_type_id: 'other', subscribe: true }] };
  const { body: refused } = await tenant.api.put(`${PATH}/${id}`, unknown, 400);
  assert.equal(refused.issues[0].field, 'subscription_updates[0].subscription_type_id');
});

test('subscribing to a type lifts a suppression by unsubscribing; a bounce stays', async () => {
  const tenant = await app.createTenant();
  await define(tenant);
  for (const [type, status] of [
    ['unsubscribe', 404],
    ['bounce', 200],
  ] as const) {
    const { id, body } = await createSubscriber(tenant);
    await tenant.api.post('/api/email_settings/suppressions', { recipient: body.email, type });
    await tenant.api.put(`${PATH}/${id}`, {
      ...body,
      subscription_updates: [{ subscription_type_id: 'news', subscribe: true }],
    });
    await tenant.api.get(`/api/email_settings/suppressions/list/${body.email}`, status);
  }
});

test('lists filter by every field and by groups, and search names and addresses', async () => {
  const tenant = await app.createTenant();
  const [one, two] = [await createGroup(tenant, 'lists'), await createGroup(tenant, 'lists')];
  await createSubscriber(tenant, { first_name: 'A', last_name: 'Stone', email: 'a@x.example', lists: [one] });
  await createSubscriber(tenant, { first_name: 'B', last_name: '', email: 'b@y.example', lists: [one, two] });
  await createSubscriber(tenant, {
    first_name: 'C',
    active: false,
    inactive_reason: 'gone',
    email: 'c@y.example',
  });
  const eq = (value: unknown) => ({ operation: 'eq', value });
  assert.deepEqual(await names(tenant, {}), ['C', 'B', 'A']);
  assert.deepEqual(await names(tenant, { active: eq(false) }), ['C']);
  assert.deepEqual(await names(tenant, { first_name: eq('B') }), ['B']);
  assert.deepEqual(await names(tenant, { last_name: { operation: 'empty' } }), ['B']);
  assert.deepEqual(await names(tenant, { email: { operation: 'like', value: '@Y.' } }), ['C', 'B']);
  assert.deepEqual(await names(tenant, { lists: eq(two) }), ['B']);
  assert.deepEqual(await names(tenant, { lists: { operation: 'in', value: [one, two] } }), ['B', 'A']);
  assert.deepEqual(await names(tenant, { lists: { operation: 'nin', value: [two] } }), ['C', 'A']);
  assert.deepEqual(await names(tenant, { lists: { operation: 'empty' } }), ['C']);
  assert.deepEqual(await names(tenant, { lists: eq('nonsense') }), []);
  assert.deepEqual(await names(tenant, { audiences: eq(one) }), [], 'a list is no audience');
  assert.deepEqual(await names(tenant, {}, { search: 'stone X.exam' }), ['A']);
  assert.deepEqual(await names(tenant, { created_at: { operation: 'lt', value: '2020-01-01' } }), []);
  await tenant.api.post(`${PATH}/list`, { page: 1, limit: 10 }, 400);
});

test('additional fields are compared by their defined type, else by the type of the compared value', async () => {
  const tenant = await app.createTenant();
  await define(tenant);
  const create = (first_name: string, additional_fields_data?: object) =>
    createSubscriber(tenant, { first_name, additional_fields_data });
  await create('A', { visits: 9, city: 'Bonn', since: '2024-05-01', level: 10, tag: 'x' });
  await create('B', { visits: 10, city: 'Köln', since: '2024-04-30T23:00:00-02:00', level: '9', tag: 7 });
  await create('C');
  const by = (name: string, operation: string, value?: unknown) =>
    names(tenant, { [`additional_fields_data.${name}`]: { operation, value } });
  assert.deepEqual(await by('visits', 'gt', 9), ['B']);
  assert.deepEqual(await by('visits', 'between', [1, 9]), ['A']);
  assert.deepEqual(await by('city', 'like', 'ö'), ['B']);
  assert.deepEqual(await by('city', 'ne', 'Bonn'), ['C', 'B']);
  assert.deepEqual(await by('city', 'empty'), ['C']);
  assert.deepEqual(await by('since', 'gte', '2024-05-01T00:30:00Z'), ['B'], 'as moments');
  assert.deepEqual(await by('level', 'gte', 9), ['A'], 'what is no number is compared with none');
  assert.deepEqual(await by('tag', 'eq', '7'), ['B']);
  assert.deepEqual(await by('absent', 'eq', 1), []);
  assert.deepEqual(await by('absent', 'nempty'), []);
  const wrong = { 'additional_fields_data.visits': { operation: 'gt', value: 'many' } };
  await tenant.api.post(`${PATH}/list`, { page: 1, limit: 10, filters: wrong }, 400);
  for (const name of ['a-b', '', "a'b", 'x'.repeat(65)]) {
    const filters = { [`additional_fields_data.${name}`]: { operation: 'empty' } };
    const { body } = await tenant.api.post(`${PATH}/list`, { page: 1, limit: 10, filters }, 400);
    assert.equal(body.issues[0].field, `filters.additional_fields_data.${name}`);
  }
});

test('several operations on an additional field compare it by the type of the first value', async () => {
  const tenant = await app.createTenant();
  const create = (first_name: string, additional_fields_data?: object) =>
    createSubscriber(tenant, { first_name, additional_fields_data });
  await create('A', { age: 9, since: '2026-05-01', vip: true });
  await create('B', { age: 10, since: '2026-04-30T23:00:00-02:00', vip: false });
  await create('C');
  const by = (name: string, operations: object) =>
    names(tenant, { [`additional_fields_data.${name}`]: operations });
  assert.deepEqual(await by('age', { gte: 9, lt: 10 }), ['A']);
  assert.deepEqual(await by('age', { gt: 9 }), ['B']);
  assert.deepEqual(await by('age', { between: [9, 10], ne: 9 }), ['B']);
  assert.deepEqual(await by('age', { in: [10, 11] }), ['B']);
  assert.deepEqual(await by('age', { nempty: true, lt: 10 }), ['A']);
  assert.deepEqual(await by('since', { gte: '2026-05-01T00:30:00Z', lt: '2026-06-01' }), ['B'], 'as moments');
  assert.deepEqual(await by('vip', { eq: true }), ['A']);
  const mixed = { 'additional_fields_data.age': { gt: 9, lt: 'many' } };
  const { body } = await tenant.api.post(`${PATH}/list`, { page: 1, limit: 10, filters: mixed }, 400);
  assert.equal(body.issues[0].field, 'filters.additional_fields_data.age.lt');
});

test('counts exclude inactive, unsubscribed and permanently suppressed subscribers', async () => {
  const tenant = await app.createTenant();
  await define(tenant);
  const [listId, audienceId] = [await createGroup(tenant, 'lists'), await createGroup(tenant, 'audiences')];
  const groups = { lists: [listId], audiences: [audienceId] };
  const people = [1, 2, 3, 4, 5].map(() => createSubscriber(tenant, groups));
  const [, inactive, off, bounced, left] = await Promise.all(people);
  assert.ok(inactive && off && bounced && left);
  const change = ({ id, body }: typeof off, more: object) =>
    tenant.api.put(`${PATH}/${id}`, { ...body, ...more });
  const choice = { subscription_type_id: 'news', subscribe: false };
  await change(inactive, { active: false, inactive_reason: 'asked', subscription_updates: [choice] });
  await change(off, { subscription_updates: [choice] });
  const suppress = (recipient: string, type: string) =>
    tenant.api.post('/api/email_settings/suppressions', { recipient, type });
  await suppress(bounced.body.email, 'bounce');
  await suppress(left.body.email, 'unsubscribe');
  const query = async (queryName: string, vars: object) =>
    (await tenant.api.post(`${PATH}/search`, { payload: { queryName, vars } })).body;
  const typed = { listIds: [listId], activeSubscriptionTypeId: 'news' };
  assert.deepEqual(await query('getSubscribersCountByListIds', typed), {
    subscribersCountByListId: { [listId]: 2 },
  });
  const unknown = crypto.randomUUID();
  assert.deepEqual(await query('getSubscribersCountByAudienceIds', { audienceIds: [audienceId, unknown] }), {
    subscribersCountByAudienceId: { [audienceId]: 3, [unknown]: 0 },
  });
  for (const activeSubscriptionTypeId of ['nwes', '']) {
    const vars = { audienceIds: [audienceId], activeSubscriptionTypeId };
    const payload = { queryName: 'getSubscribersCountByAudienceIds', vars };
    const refused = await tenant.api.post(`${PATH}/search`, { payload }, 400);
    assert.equal(refused.body.code, 'INVALID_SUBSCRIBER');
    assert.match(refused.body.issues[0].field, /activeSubscriptionTypeId$/);
  }
  const payload = { queryName: 'other', vars: {} };
  assert.equal((await tenant.api.post(`${PATH}/search`, { payload }, 400)).body.code, 'INVALID_SUBSCRIBER');
});

test('subscribers belong to a unit: callers of other units cannot see, change or count them', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const { id, body } = await createSubscriber(tenant);
  await member.api.get(`${PATH}/${id}`, 404);
  await member.api.put(`${PATH}/${id}`, body, 404);
  assert.equal((await list(member, {})).total, 0);
  const own = await createSubscriber(member, { email: body.email });
  assert.equal((await getSubscriber(tenant, own.id)).business_unit, north);
  assert.deepEqual([(await list(member, {})).total, (await list(tenant, {})).total], [1, 2]);
  await member.api.delete(`${PATH}/${own.id}`, 403);
});
