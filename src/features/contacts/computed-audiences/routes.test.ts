import assert from 'node:assert/strict';
import test from 'node:test';
import { becomes, computed, createAudience, membersOf } from '../../../../test/harness/audiences.ts';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { createSubscriber, getSubscriber, subscriberBody } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

const cityIs = (value: string) => ({ 'additional_fields_data.city': { operation: 'eq', value } });
const from = (city: string) => ({ additional_fields_data: { city } });

/** Defines additional fields of a tenant's subscribers by their types. */
async function define({ api }: TestTenant, types: Readonly<Record<string, string>>): Promise<void> {
  const fields = Object.entries(types).map(([name, type]) => [name, { label: name, type, order: 1 }]);
  await api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [],
    subscriber_additional_fields: Object.fromEntries(fields),
  });
}

test('an audience with filters contains all matching subscribers, created before or after it', async () => {
  const tenant = await app.createTenant();
  await createSubscriber(tenant, { first_name: 'Ada', ...from('London') });
  await createSubscriber(tenant, { first_name: 'Bob', ...from('Paris') });
  const filters = cityIs('London');
  const id = await createAudience(tenant, filters);
  const audience = await computed(tenant, id);
  assert.deepEqual(audience.filters, filters);
  assert.deepEqual(audience.computation, { state: 'current', problems: [] });
  assert.deepEqual(await membersOf(tenant, id), ['Ada']);
  await createSubscriber(tenant, { first_name: 'Cy', ...from('London') });
  await createSubscriber(tenant, { first_name: 'Dee', ...from('Rome') });
  await becomes(tenant, id, ['Ada', 'Cy']);
});

test('a subscriber who no longer meets the filters leaves, by a PUT or an erasure', async () => {
  const tenant = await app.createTenant();
  const id = await createAudience(tenant, cityIs('London'));
  const ada = await createSubscriber(tenant, { first_name: 'Ada', ...from('London') });
  const bob = await createSubscriber(tenant, { first_name: 'Bob', ...from('London') });
  await becomes(tenant, id, ['Ada', 'Bob']);
  assert.deepEqual((await getSubscriber(tenant, ada.id)).audiences, [id]);
  await tenant.api.put(`/api/subscribers/${ada.id}`, { ...ada.body, ...from('Paris') });
  await becomes(tenant, id, ['Bob']);
  await tenant.api.delete(`/api/subscribers/${bob.id}`);
  await becomes(tenant, id, []);
});

test('an audience contains the subscribers that a list with the same filters finds, for every operation and field', async () => {
  const tenant = await app.createTenant();
  await define(tenant, { visits: 'number', since: 'date', vip: 'boolean' });
  const list = String((await tenant.api.post('/api/lists', { name: 'News' })).body.id);
  const manualAudience = String((await tenant.api.post('/api/audiences', { name: 'Named' })).body.id);
  const of = (filter: object) => filter;
  const all = [
    of({ first_name: { operation: 'eq', value: 'Ada' } }),
    of({ first_name: { operation: 'ne', value: 'Ada' } }),
    of({ email: { operation: 'like', value: 'BOB' } }),
    of({ last_name: { operation: 'nlike', value: 'love' } }),
    of({ last_name: { operation: 'empty' } }),
    of({ active: { operation: 'eq', value: false } }),
    of({ created_at: { operation: 'lt', value: '2100-01-01' } }),
    of({ 'additional_fields_data.visits': { operation: 'gt', value: 3 } }),
    of({ 'additional_fields_data.visits': { operation: 'between', value: [1, 3] } }),
    of({ 'additional_fields_data.visits': { operation: 'nempty' } }),
    of({ 'additional_fields_data.since': { operation: 'gte', value: '2026-02-01' } }),
    of({ 'additional_fields_data.vip': { operation: 'eq', value: true } }),
    of({ 'additional_fields_data.city': { operation: 'in', value: ['London', 'Rome'] } }),
    of({ lists: { operation: 'eq', value: list } }),
    of({ lists: { operation: 'nin', value: [list] } }),
    of({ audiences: { operation: 'eq', value: manualAudience } }),
    of({ first_name: { operation: 'like', value: 'a' }, active: { operation: 'eq', value: true } }),
    of({}),
  ];
  const ids = await Promise.all(all.map((filters) => createAudience(tenant, filters)));
  const data = (visits: number, since: string, vip: boolean, city: string) => ({
    additional_fields_data: { visits, since, vip, city },
  });
  await createSubscriber(tenant, {
    first_name: 'Ada',
    lists: [list],
    ...data(3, '2026-01-01', true, 'London'),
  });
  await createSubscriber(tenant, {
    ...{ first_name: 'Bob', last_name: '', email: 'bob@example.com', audiences: [manualAudience] },
    ...data(7, '2026-03-01', false, 'Paris'),
  });
  await createSubscriber(tenant, { first_name: 'Clara', active: false, inactive_reason: 'asked' });
  for (const [place, filters] of all.entries()) {
    const { results } = (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 10, filters }))
      .body;
    const names = results.map(({ first_name }: { first_name: string }) => first_name);
    await becomes(tenant, ids[place] ?? '', names);
  }
});

test('invalid filters are refused, each error with field and rule', async () => {
  const tenant = await app.createTenant();
  await define(tenant, { visits: 'number' });
  const computedId = await createAudience(tenant, {});
  const refused = async (filters: object) => {
    const { body } = await tenant.api.post('/api/audiences', { name: 'Bad', filters }, 400);
    assert.equal(body.code, 'INVALID_REQUEST');
    return body.issues.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(
    await refused({
      nickname: { operation: 'eq', value: 'x' },
      email: { operation: 'near', value: 'x' },
      'additional_fields_data.visits': { operation: 'eq', value: 'many' },
      engagement: { opened_since_days: 0 },
    }),
    [
      'filters.nickname',
      'filters.email.operation',
      'filters.additional_fields_data.visits.value',
      'filters.engagement.opened_since_days',
    ],
  );
  for (const engagement of [{}, 7, { seen_since_days: 1 }, { opened_since_days: 1, clicked_since_days: 1 }])
    assert.deepEqual(await refused({ engagement }), ['filters.engagement']);
  assert.deepEqual(await refused({ audiences: { operation: 'in', value: [computedId] } }), [
    'filters.audiences.value',
  ]);
  assert.deepEqual(await refused([]), ['filters']);
  const plain = await createAudience(tenant, null);
  const put = await tenant.api.put(`/api/audiences/${plain}`, { name: 'x', filters: { a: 1 } }, 400);
  assert.equal(put.body.issues[0].field, 'filters.a');
});

test('subscribers cannot be added to a computed audience; a member can be read and written back', async () => {
  const tenant = await app.createTenant();
  const id = await createAudience(tenant, cityIs('London'));
  const { body } = await tenant.api.post('/api/subscribers', subscriberBody({ audiences: [id] }), 400);
  assert.deepEqual(
    [body.code, body.issues],
    [
      'INVALID_SUBSCRIBER',
      [{ field: 'audiences[0]', message: 'is a computed audience; subscribers cannot be added to it' }],
    ],
  );
  const ada = await createSubscriber(tenant, { first_name: 'Ada', ...from('London') });
  await becomes(tenant, id, ['Ada']);
  const { version: _version, ...read } = await getSubscriber(tenant, ada.id);
  await tenant.api.put(`/api/subscribers/${ada.id}`, { ...read, first_name: 'Eva' });
  assert.deepEqual(await membersOf(tenant, id), ['Eva']);
  // Omitting the audience does not remove the subscriber from it.
  await tenant.api.put(`/api/subscribers/${ada.id}`, { ...read, audiences: [], first_name: 'Ida' });
  assert.deepEqual(await membersOf(tenant, id), ['Ida']);
  await becomes(tenant, id, ['Ida']);
});

test('new filters recompute the members; absent filters keep them, and null keeps only manual members', async () => {
  const tenant = await app.createTenant();
  await createSubscriber(tenant, { first_name: 'Ada', ...from('London') });
  const bob = await createSubscriber(tenant, { first_name: 'Bob', ...from('Paris') });
  const id = await createAudience(tenant, cityIs('London'));
  await becomes(tenant, id, ['Ada']);
  await tenant.api.put(`/api/audiences/${id}`, { name: 'Computed', filters: cityIs('Paris') });
  await becomes(tenant, id, ['Bob']);
  await tenant.api.put(`/api/audiences/${id}`, { name: 'Still computed' });
  await becomes(tenant, id, ['Bob']);
  await tenant.api.put(`/api/audiences/${id}`, { name: 'Plain', filters: null });
  const { filters, computation } = (await tenant.api.get(`/api/audiences/${id}`)).body;
  assert.deepEqual([filters, computation], [undefined, undefined]);
  await becomes(tenant, id, []);
  await tenant.api.put(`/api/subscribers/${bob.id}`, { ...bob.body, audiences: [id] });
  await becomes(tenant, id, ['Bob']);
  await tenant.api.put(`/api/audiences/${id}`, { name: 'Computed', filters: cityIs('London') });
  await becomes(tenant, id, ['Ada']);
});

test('counts of active members change when a subscriber is deactivated', async () => {
  const tenant = await app.createTenant();
  const id = await createAudience(tenant, {});
  const ada = await createSubscriber(tenant, { first_name: 'Ada' });
  await createSubscriber(tenant, { first_name: 'Bob', active: false, inactive_reason: 'asked' });
  await becomes(tenant, id, ['Ada', 'Bob']);
  const reachable = async () => {
    const vars = { audienceIds: [id] };
    const payload = { queryName: 'getSubscribersCountByAudienceIds', vars };
    return (await tenant.api.post('/api/subscribers/search', { payload })).body.subscribersCountByAudienceId[
      id
    ];
  };
  assert.equal(await reachable(), 1);
  const inactive = { ...ada.body, active: false, inactive_reason: 'left' };
  await tenant.api.put(`/api/subscribers/${ada.id}`, inactive);
  assert.equal(await reachable(), 0);
  await tenant.api.put(`/api/subscribers/${ada.id}`, ada.body);
  assert.equal(await reachable(), 1);
});

test('audiences whose filters reference a list or audience are recomputed when it is deleted or gets filters', async () => {
  const tenant = await app.createTenant();
  const list = String((await tenant.api.post('/api/lists', { name: 'News' })).body.id);
  const manualAudience = await createAudience(tenant, null);
  const inList = await createAudience(tenant, { lists: { operation: 'eq', value: list } });
  const inNamed = await createAudience(tenant, { audiences: { operation: 'eq', value: manualAudience } });
  await createSubscriber(tenant, { first_name: 'Ada', lists: [list], audiences: [manualAudience] });
  await becomes(tenant, inList, ['Ada']);
  await becomes(tenant, inNamed, ['Ada']);
  await tenant.api.delete(`/api/lists/${list}`);
  await becomes(tenant, inList, []);
  await tenant.api.put(`/api/audiences/${manualAudience}`, { name: 'x', filters: {} });
  await becomes(tenant, manualAudience, ['Ada']);
  await becomes(tenant, inNamed, []);
});

test('a redefined field recomputes audiences, and conditions that cannot match are reported', async () => {
  const tenant = await app.createTenant();
  const data = { additional_fields_data: { size: 'many' } };
  await createSubscriber(tenant, { first_name: 'Ada', ...data });
  const filters = { 'additional_fields_data.size': { operation: 'eq', value: 'many' } };
  const id = await createAudience(tenant, filters);
  await becomes(tenant, id, ['Ada']);
  await define(tenant, { size: 'number' });
  await becomes(tenant, id, []);
  const { computation } = await computed(tenant, id);
  assert.deepEqual(computation.problems, [
    { field: 'filters.additional_fields_data.size.value', message: 'must be a number' },
  ]);
  await define(tenant, { size: 'text' });
  await becomes(tenant, id, ['Ada']);
  assert.deepEqual((await computed(tenant, id)).computation.problems, []);
});

test('deleting a computed audience removes its members, and no subscriber is added to it', async () => {
  const tenant = await app.createTenant();
  const id = await createAudience(tenant, {});
  const { id: ada } = await createSubscriber(tenant, { first_name: 'Ada' });
  await becomes(tenant, id, ['Ada']);
  await tenant.api.delete(`/api/audiences/${id}`);
  assert.deepEqual((await getSubscriber(tenant, ada)).audiences, []);
  const other = await createAudience(tenant, {});
  await createSubscriber(tenant, { first_name: 'Bob' });
  await becomes(tenant, other, ['Ada', 'Bob']);
  assert.deepEqual((await getSubscriber(tenant, ada)).audiences, [other]);
});

test('an audience contains only subscribers of its own tenant and business unit', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const north = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  await createSubscriber(tenant, { first_name: 'Of Default' });
  await createSubscriber(member, { first_name: 'Of North' });
  await createSubscriber(other, { first_name: 'Of another tenant' });
  const [mine, norths, others] = [
    await createAudience(tenant, {}),
    await createAudience(member, {}),
    await createAudience(other, {}),
  ];
  await becomes(tenant, mine, ['Of Default']);
  await becomes(member, norths, ['Of North']);
  await becomes(other, others, ['Of another tenant']);
  await other.api.get(`/api/audiences/${mine}`, 404);
});

test('one filter in `any` and no filter in `none` must match, also after each change', async () => {
  const tenant = await app.createTenant();
  const list = String((await tenant.api.post('/api/lists', { name: 'News' })).body.id);
  const filters = {
    active: { operation: 'eq', value: true },
    any: [{ ...cityIs('London'), last_name: { operation: 'eq', value: 'Lovelace' } }, cityIs('Paris')],
    none: [
      { lists: { operation: 'eq', value: list } },
      { email: { operation: 'eq', value: 'BOB@example.com' } },
    ],
  };
  const [ada, , , dee] = [
    await createSubscriber(tenant, { first_name: 'Ada', ...from('London') }),
    await createSubscriber(tenant, { first_name: 'Bob', email: 'bob@example.com', ...from('Paris') }),
    await createSubscriber(tenant, { first_name: 'Cy', last_name: 'Other', ...from('London') }),
    await createSubscriber(tenant, { first_name: 'Dee', ...from('Paris') }),
    await createSubscriber(tenant, { first_name: 'Eve' }),
  ];
  const id = await createAudience(tenant, filters);
  assert.deepEqual((await computed(tenant, id)).filters, filters);
  assert.deepEqual(await membersOf(tenant, id), ['Ada', 'Dee']);
  await tenant.api.put(`/api/subscribers/${ada.id}`, { ...ada.body, ...from('Rome') });
  await becomes(tenant, id, ['Dee']);
  await tenant.api.post(`/api/lists/${list}/members`, { subscriber_ids: [dee.id] });
  await becomes(tenant, id, []);
  await tenant.api.post(`/api/lists/${list}/members/remove`, { subscriber_ids: [dee.id] });
  await becomes(tenant, id, ['Dee']);
});

test('groups are lists of filters, one level deep, with at most 100 conditions in all', async () => {
  const tenant = await app.createTenant();
  const computedId = await createAudience(tenant, {});
  const refused = async (filters: object) => {
    const { body } = await tenant.api.post('/api/audiences', { name: 'Bad', filters }, 400);
    return body.issues.map(({ field }: { field: string }) => field);
  };
  const city = cityIs('London');
  assert.deepEqual(await refused({ any: city }), ['filters.any']);
  assert.deepEqual(await refused({ none: [] }), ['filters.none']);
  assert.deepEqual(await refused({ any: [city, {}, 'x'] }), ['filters.any[1]', 'filters.any[2]']);
  assert.deepEqual(await refused({ any: [{ ...city, none: [city] }] }), ['filters.any[0].none']);
  assert.deepEqual(await refused({ any: [{ colour: { operation: 'eq', value: 1 } }] }), [
    'filters.any[0].colour',
  ]);
  assert.deepEqual(await refused({ none: [{ engagement: { opened_since_days: 0 } }] }), [
    'filters.none[0].engagement.opened_since_days',
  ]);
  assert.deepEqual(await refused({ none: [{ audiences: { operation: 'eq', value: computedId } }] }), [
    'filters.none[0].audiences.value',
  ]);
  const many = (count: number) => Array.from({ length: count }, () => city);
  assert.deepEqual(await refused({ ...city, any: many(50), none: many(50) }), ['filters']);
  await createAudience(tenant, { any: many(50), none: many(50) });
});

test('no subscriber matches a group in `none` after the type of its field has changed', async () => {
  const tenant = await app.createTenant();
  await define(tenant, { visits: 'number' });
  await createSubscriber(tenant, { first_name: 'Ada' });
  const none = [{ 'additional_fields_data.visits': { operation: 'gt', value: 3 } }];
  const id = await createAudience(tenant, { none });
  await becomes(tenant, id, ['Ada']);
  await define(tenant, { visits: 'boolean' });
  await becomes(tenant, id, []);
  const { problems } = (await computed(tenant, id)).computation;
  assert.deepEqual(
    problems.map(({ field }: { field: string }) => field),
    ['filters.none[0].additional_fields_data.visits.value'],
  );
});

test('filters name the business unit by id, slug or name', async () => {
  const tenant = await app.createTenant();
  const [north, south] = [await createUnit(tenant, 'North Sea'), await createUnit(tenant, 'South Sea')];
  for (const [first_name, business_unit] of [
    ['Ada', north],
    ['Bob', south],
  ])
    await createSubscriber(tenant, { first_name, business_unit });
  const api = await actingIn(tenant.api, north);
  for (const [value, isOwn] of [
    [north, true],
    ['north-sea', true],
    ['North Sea', true],
    [south, false],
    ['south-sea', false],
    ['South Sea', false],
    ['nothing', false],
  ] as const)
    for (const [filter, isNegated] of [
      [{ operation: 'eq', value }, false],
      [{ operation: 'ne', value }, true],
      [{ in: [value, 'West'] }, false],
      [{ nin: [value] }, true],
    ] as const) {
      const id = await createAudience({ ...tenant, api }, { business_unit: filter });
      await computed(tenant, id);
      const expected = isOwn === isNegated ? [] : ['Ada'];
      assert.deepEqual(await membersOf(tenant, id), expected, JSON.stringify(filter));
    }
});
