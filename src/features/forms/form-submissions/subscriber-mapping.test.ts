import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { createForm, formBody, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { createSubscriber, getSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const all = app.app.platform.database.everyTenant('tests').query;

const TYPES = ['news', 'offers'].map((id) => ({ id, name: id, description: '', active: true }));

/** A tenant that knows two types of subscriptions, with a list and an audience. */
async function createPeopleTenant() {
  const tenant = await app.createTenant();
  await tenant.api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: TYPES,
    subscriber_additional_fields: {},
  });
  const make = async (kind: string): Promise<string> =>
    (await tenant.api.post(`/api/${kind}`, { name: 'Group' })).body.id;
  return { ...tenant, list: await make('lists'), audience: await make('audiences') };
}

type PeopleTenant = Awaited<ReturnType<typeof createPeopleTenant>>;

/** A form whose submissions make subscribers; `mapping` says how. */
const createMapped = ({ api, list, audience }: PeopleTenant, mapping: object = {}) =>
  createForm(api, {
    subscriber_mapping: {
      enabled: true,
      first_name: 'full_name',
      last_name: 'reason',
      lists: [list],
      audiences: [audience],
      subscription_type_ids: ['news'],
      ...mapping,
    },
  });

const newAddress = () => `S${randomUUID().slice(0, 8)}@Example.com`;

const bodyOf = (form_code: string, email_address: string, answers: object = {}) => ({
  form_code,
  email_address,
  form_data: { ...goodAnswers, ...answers },
});

/** Submits, and reads the submission. */
async function submit({ api }: Pick<TestTenant, 'api'>, form: string, address: string, answers: object = {}) {
  const { submission_id } = (await api.post('/api/form_submissions', bodyOf(form, address, answers))).body;
  return (await api.get(`/api/form_submissions/${submission_id}`)).body;
}

/** The subscribers with an address. */
async function peopleAt({ api }: Pick<TestTenant, 'api'>, address: string) {
  const filters = { email: { operation: 'like', value: address.toLowerCase() } };
  return (await api.post('/api/subscribers/list', { page: 1, limit: 10, filters })).body.results;
}

const countOf = async ({ api }: PeopleTenant, kind: 'lists' | 'audiences', id: string) =>
  (await api.get(`/api/${kind}/${id}`)).body.subscriber_count;

/** How many of a list can be written to. */
async function reachable({ api, list }: PeopleTenant, type?: string): Promise<number> {
  const vars = { listIds: [list], ...(type && { activeSubscriptionTypeId: type }) };
  const payload = { queryName: 'getSubscribersCountByListIds', vars };
  return (await api.post('/api/subscribers/search', { payload })).body.subscribersCountByListId[list];
}

const versionsOf = async ({ api }: PeopleTenant, id: string) =>
  (await api.get(`/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`)).body;

const typesOf = (events: readonly { type: string; isError: boolean }[]) =>
  events.map(({ type, isError }) => (isError ? `${type}!` : type));

test('a submission makes the subscriber that its form asks for, as a create would', async () => {
  const tenant = await createPeopleTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  const submission = await submit(tenant, form, address, { satisfied: 'no', reason: 'Slow' });
  assert.equal(submission.subscriber_created, true);
  assert.deepEqual(typesOf(submission.events), ['received', 'subscriber']);
  const [person, ...others] = await peopleAt(tenant, address);
  assert.deepEqual(others, []);
  const [chosen] = person.subscription_preferences;
  assert.deepEqual(person, {
    ...{ id: person.id, first_name: 'Ada Lovelace', last_name: 'Slow', email: address, active: true },
    ...{ inactive_reason: null, audiences: [tenant.audience], lists: [tenant.list] },
    additional_fields_data: {},
    subscription_preferences: [{ ...chosen, subscription_type_id: 'news', subscribed: true }],
    business_unit: tenant.defaultUnitId,
    ...{ version: 1, created_at: submission.created_at, updated_at: submission.created_at },
  });
  const [version] = await versionsOf(tenant, person.id);
  assert.deepEqual([version.data.lists, version.data.audiences], [[tenant.list], [tenant.audience]]);
  assert.deepEqual(
    [
      await countOf(tenant, 'lists', tenant.list),
      await countOf(tenant, 'audiences', tenant.audience),
      await reachable(tenant, 'news'),
      (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 1, filters: {} })).body.total,
    ],
    [1, 1, 1, 1],
  );
});

test('a visitor of the embedded form becomes a subscriber too, and history tells by which form', async () => {
  const tenant = await createPeopleTenant();
  const form = await createMapped(tenant);
  const { public_code } = (await tenant.api.get(`/api/forms/${form}`)).body;
  const address = newAddress();
  const { form_code: _, ...body } = bodyOf(form, address);
  const path = `/embed/${public_code}/submissions`;
  const headers = { 'idempotency-key': randomUUID() };
  for (const _time of [1, 2]) await app.anonymous.post(path, body, 200, { headers });
  const [person] = await peopleAt(tenant, address);
  const versions = await versionsOf(tenant, person.id);
  assert.equal(versions.length, 1);
  assert.deepEqual(versions[0].actor, { kind: 'visitor', form_code: form });
});

test('a person without a name gets the start of the address, and names are no longer than they may be', async () => {
  const tenant = await createPeopleTenant();
  const nameless = newAddress();
  await submit(tenant, await createMapped(tenant, { first_name: 'topics', last_name: undefined }), nameless);
  const [first] = await peopleAt(tenant, nameless);
  assert.deepEqual([first.first_name, first.last_name], [nameless.split('@')[0], null]);
  const long = newAddress();
  await submit(tenant, await createMapped(tenant), long, { full_name: ` ${'a\n b'.repeat(200)}` });
  const [second] = await peopleAt(tenant, long);
  assert.deepEqual([second.first_name.length, /\n/.test(second.first_name)], [200, false]);
});

test('whoever is a subscriber keeps its fields, joins, and is subscribed; a repeat changes nothing', async () => {
  const tenant = await createPeopleTenant();
  const other = (await tenant.api.post('/api/lists', { name: 'Other' })).body.id;
  const form = await createMapped(tenant);
  const address = newAddress();
  const { id } = await createSubscriber(tenant, {
    ...{ first_name: 'Augusta', last_name: 'King', email: address.toUpperCase(), lists: [other] },
    additional_fields_data: { city: 'London' },
    subscription_updates: TYPES.map((type) => ({ subscription_type_id: type.id, subscribe: false })),
  });
  const submission = await submit(tenant, form, address);
  assert.equal(submission.subscriber_created, false);
  const person = await getSubscriber(tenant, id);
  assert.deepEqual(
    [person.first_name, person.last_name, person.email, person.additional_fields_data, person.version],
    ['Augusta', 'King', address.toUpperCase(), { city: 'London' }, 2],
  );
  assert.deepEqual([person.lists, person.audiences], [[tenant.list, other].sort(), [tenant.audience]]);
  assert.deepEqual(
    person.subscription_preferences.map((each: { subscribed: boolean }) => each.subscribed),
    [true, false],
  );
  const [, joined] = await versionsOf(tenant, id);
  assert.deepEqual(joined.data.lists, person.lists);
  await submit(tenant, form, address);
  assert.deepEqual(await getSubscriber(tenant, id), person);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [1, 1]);
});

test('an inactive person stays inactive, and is counted so', async () => {
  const tenant = await createPeopleTenant();
  const address = newAddress();
  const { id } = await createSubscriber(tenant, {
    ...{ email: address, active: false, inactive_reason: 'asked by phone' },
  });
  await submit(tenant, await createMapped(tenant), address);
  const person = await getSubscriber(tenant, id);
  assert.deepEqual([person.active, person.inactive_reason], [false, 'asked by phone']);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [1, 0]);
});

test('submitting subscribes again: an unsubscribe is lifted where the form names types, a bounce never', async () => {
  const tenant = await createPeopleTenant();
  const [form, without] = [
    await createMapped(tenant),
    await createMapped(tenant, { subscription_type_ids: [] }),
  ];
  const [left, bounced] = [newAddress(), newAddress()];
  const path = '/api/email_settings/suppressions';
  for (const [recipient, type] of [
    [left, 'unsubscribe'],
    [bounced, 'bounce'],
  ])
    await tenant.api.post(path, { recipient, type, description: '' });
  for (const address of [left, bounced]) await submit(tenant, without, address);
  await tenant.api.get(`${path}/list/${left}`);
  for (const address of [left, bounced]) await submit(tenant, form, address);
  await tenant.api.get(`${path}/list/${left}`, 404);
  await tenant.api.get(`${path}/list/${bounced}`);
});

test('lists, audiences and types that are gone are left out, and the submission tells of them', async () => {
  const tenant = await createPeopleTenant();
  const gone = (await tenant.api.post('/api/lists', { name: 'Gone' })).body.id;
  const form = await createMapped(tenant, {
    ...{ lists: [gone, tenant.list, 'nonsense'], audiences: [randomUUID()] },
    subscription_type_ids: ['news', 'unknown'],
  });
  await tenant.api.delete(`/api/lists/${gone}`);
  const address = newAddress();
  const submission = await submit(tenant, form, address);
  assert.deepEqual(typesOf(submission.events), [
    ...['received', 'subscriber', 'subscriber!', 'subscriber!', 'subscriber!'],
  ]);
  assert.match(submission.events[2].message, /Ignored 2 lists that do not exist/);
  const [person] = await peopleAt(tenant, address);
  assert.deepEqual([person.lists, person.audiences], [[tenant.list], []]);
  assert.equal(person.subscription_preferences.length, 1);
});

test('people belong to the unit of the form, and join its groups only', async () => {
  const tenant = await createPeopleTenant();
  const north = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const address = newAddress();
  const { id } = await createSubscriber(tenant, { email: address });
  const own = (await (await actingIn(tenant.api, north)).post('/api/lists', { name: 'North' })).body.id;
  const form = await createMapped(tenant, { lists: [tenant.list] });
  const theirs = (
    await member.api.post(
      '/api/forms',
      formBody({ subscriber_mapping: { enabled: true, lists: [own, tenant.list] } }),
    )
  ).body.code;
  const submission = await submit(member, theirs, address);
  assert.deepEqual(typesOf(submission.events), ['received', 'subscriber', 'subscriber!']);
  const [person, ...others] = await peopleAt(member, address);
  assert.deepEqual([others, person.lists, person.business_unit], [[], [own], north]);
  assert.notEqual(person.id, id);
  assert.equal((await getSubscriber(tenant, id)).version, 1);
  await submit(tenant, form, address);
  assert.deepEqual((await getSubscriber(tenant, id)).lists, [tenant.list]);
});

test('a form whose mapping is off makes nobody, nor does a submission that is refused', async () => {
  const tenant = await createPeopleTenant();
  const address = newAddress();
  const submission = await submit(tenant, await createMapped(tenant, { enabled: false }), address);
  assert.deepEqual([submission.subscriber_created, typesOf(submission.events)], [false, ['received']]);
  const form = await createMapped(tenant);
  await tenant.api.post('/api/form_submissions', { ...bodyOf(form, address), form_data: {} }, 400);
  await tenant.api.post('/api/form_submissions', bodyOf(form, 'nobody'), 400);
  assert.deepEqual(await peopleAt(tenant, address), []);
  assert.equal(await countOf(tenant, 'lists', tenant.list), 0);
});

test('of many submissions of one address at once one makes the subscriber, and all are counted rightly', async () => {
  const tenant = await createPeopleTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  const submitted = await Promise.all(Array.from({ length: 12 }, () => submit(tenant, form, address)));
  assert.equal(submitted.filter((each) => each.subscriber_created).length, 1);
  const [person, ...others] = await peopleAt(tenant, address);
  assert.deepEqual([others, person.version, person.lists], [[], 1, [tenant.list]]);
  assert.deepEqual(
    [
      await countOf(tenant, 'lists', tenant.list),
      await reachable(tenant),
      (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 1, filters: {} })).body.total,
      (await tenant.api.post('/api/form_submissions/list', { page: 1, limit: 1, filters: {} })).body.total,
    ],
    [1, 1, 1, 12],
  );
  const { rows } = await sql<{ members: number; chosen: number }>`select
    (select count(*)::int from subscriber_group_members where tenant_id = ${tenant.tenantId}) as members,
    (select count(*)::int from subscription_preferences where tenant_id = ${tenant.tenantId}) as chosen`.execute(
    all,
  );
  assert.deepEqual(rows, [{ members: 2, chosen: 1 }]);
});

test('a submission that cannot be stored leaves no subscriber', async () => {
  const tenant = await createPeopleTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  // A later row of the same transaction is refused: its count can hold no more.
  const full = { submissions: 9_223_372_036_854_775_807n };
  const counts = Array.from({ length: 16 }, (_, slot) => slot);
  for (const slot of counts)
    await sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
      values (${tenant.tenantId}, ${form}, ${slot}, ${tenant.defaultUnitId}, ${full.submissions}, 0)`.execute(
      all,
    );
  await tenant.api.post('/api/form_submissions', bodyOf(form, address), 500);
  assert.deepEqual(await peopleAt(tenant, address), []);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [0, 0]);
});
