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

/** Creates a tenant with two subscription types, a list and an audience. */
async function createMappedTenant() {
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

type MappedTenant = Awaited<ReturnType<typeof createMappedTenant>>;

/** Creates a form whose submissions create subscribers as `mapping` says. */
const createMapped = ({ api, list, audience }: MappedTenant, mapping: object = {}) =>
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

/** Submits and returns the submission. */
async function submit({ api }: Pick<TestTenant, 'api'>, form: string, address: string, answers: object = {}) {
  const { submission_id } = (await api.post('/api/form_submissions', bodyOf(form, address, answers))).body;
  return (await api.get(`/api/form_submissions/${submission_id}`)).body;
}

/** Returns the subscribers with an address. */
async function subscribersAt({ api }: Pick<TestTenant, 'api'>, address: string) {
  const filters = { email: { operation: 'like', value: address.toLowerCase() } };
  return (await api.post('/api/subscribers/list', { page: 1, limit: 10, filters })).body.results;
}

const countOf = async ({ api }: MappedTenant, kind: 'lists' | 'audiences', id: string) =>
  (await api.get(`/api/${kind}/${id}`)).body.subscriber_count;

/** Returns the number of reachable members of a list. */
async function reachable({ api, list }: MappedTenant, type?: string): Promise<number> {
  const vars = { listIds: [list], ...(type && { activeSubscriptionTypeId: type }) };
  const payload = { queryName: 'getSubscribersCountByListIds', vars };
  return (await api.post('/api/subscribers/search', { payload })).body.subscribersCountByListId[list];
}

const versionsOf = async ({ api }: MappedTenant, id: string) =>
  (await api.get(`/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`)).body;

const typesOf = (events: readonly { type: string; isError: boolean }[]) =>
  events.map(({ type, isError }) => (isError ? `${type}!` : type));

test('a submission creates a subscriber according to its form, like a create', async () => {
  const tenant = await createMappedTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  const submission = await submit(tenant, form, address, { satisfied: 'no', reason: 'Slow' });
  assert.equal(submission.subscriber_created, true);
  assert.deepEqual(typesOf(submission.events), ['received', 'subscriber']);
  const [subscriber, ...others] = await subscribersAt(tenant, address);
  assert.deepEqual(others, []);
  const [chosen] = subscriber.subscription_preferences;
  assert.deepEqual(subscriber, {
    ...{ id: subscriber.id, first_name: 'Ada Lovelace', last_name: 'Slow', email: address, active: true },
    ...{ inactive_reason: null, audiences: [tenant.audience], lists: [tenant.list] },
    additional_fields_data: {},
    subscription_preferences: [{ ...chosen, subscription_type_id: 'news', subscribed: true }],
    business_unit: tenant.defaultUnitId,
    ...{ version: 1, created_at: submission.created_at, updated_at: submission.created_at },
  });
  const [version] = await versionsOf(tenant, subscriber.id);
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

test('a visitor of the embedded form becomes a subscriber, and history names the form', async () => {
  const tenant = await createMappedTenant();
  const form = await createMapped(tenant);
  const { public_code } = (await tenant.api.get(`/api/forms/${form}`)).body;
  const address = newAddress();
  const { form_code: _, ...body } = bodyOf(form, address);
  const path = `/embed/${public_code}/submissions`;
  const headers = { 'idempotency-key': randomUUID() };
  for (const _time of [1, 2]) await app.anonymous.post(path, body, 200, { headers });
  const [subscriber] = await subscribersAt(tenant, address);
  const versions = await versionsOf(tenant, subscriber.id);
  assert.equal(versions.length, 1);
  assert.deepEqual(versions[0].actor, { kind: 'visitor', form_code: form });
});

test('a subscriber without a name is named by its local part, and long names are truncated', async () => {
  const tenant = await createMappedTenant();
  const nameless = newAddress();
  await submit(tenant, await createMapped(tenant, { first_name: 'topics', last_name: undefined }), nameless);
  const [first] = await subscribersAt(tenant, nameless);
  assert.deepEqual([first.first_name, first.last_name], [nameless.split('@')[0], null]);
  const long = newAddress();
  await submit(tenant, await createMapped(tenant), long, { full_name: ` ${'a\n b'.repeat(200)}` });
  const [second] = await subscribersAt(tenant, long);
  assert.deepEqual([second.first_name.length, /\n/.test(second.first_name)], [200, false]);
});

test('an existing subscriber keeps its fields, joins, and is subscribed; a repeat changes nothing', async () => {
  const tenant = await createMappedTenant();
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
  const subscriber = await getSubscriber(tenant, id);
  assert.deepEqual(
    [
      subscriber.first_name,
      subscriber.last_name,
      subscriber.email,
      subscriber.additional_fields_data,
      subscriber.version,
    ],
    ['Augusta', 'King', address.toUpperCase(), { city: 'London' }, 2],
  );
  assert.deepEqual(
    [subscriber.lists, subscriber.audiences],
    [[tenant.list, other].sort(), [tenant.audience]],
  );
  assert.deepEqual(
    subscriber.subscription_preferences.map((each: { subscribed: boolean }) => each.subscribed),
    [true, false],
  );
  const [, joined] = await versionsOf(tenant, id);
  assert.deepEqual(joined.data.lists, subscriber.lists);
  await submit(tenant, form, address);
  assert.deepEqual(await getSubscriber(tenant, id), subscriber);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [1, 1]);
});

test('an inactive subscriber stays inactive and is counted as such', async () => {
  const tenant = await createMappedTenant();
  const address = newAddress();
  const { id } = await createSubscriber(tenant, {
    ...{ email: address, active: false, inactive_reason: 'asked by phone' },
  });
  await submit(tenant, await createMapped(tenant), address);
  const subscriber = await getSubscriber(tenant, id);
  assert.deepEqual([subscriber.active, subscriber.inactive_reason], [false, 'asked by phone']);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [1, 0]);
});

test('submitting subscribes again: an unsubscribe is lifted if the form names types, a bounce never', async () => {
  const tenant = await createMappedTenant();
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

test('deleted lists, audiences and types are skipped, and the submission reports them', async () => {
  const tenant = await createMappedTenant();
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
  const [subscriber] = await subscribersAt(tenant, address);
  assert.deepEqual([subscriber.lists, subscriber.audiences], [[tenant.list], []]);
  assert.equal(subscriber.subscription_preferences.length, 1);
});

test('subscribers belong to the unit of the form, and join only its groups', async () => {
  const tenant = await createMappedTenant();
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
  const [subscriber, ...others] = await subscribersAt(member, address);
  assert.deepEqual([others, subscriber.lists, subscriber.business_unit], [[], [own], north]);
  assert.notEqual(subscriber.id, id);
  assert.equal((await getSubscriber(tenant, id)).version, 1);
  await submit(tenant, form, address);
  assert.deepEqual((await getSubscriber(tenant, id)).lists, [tenant.list]);
});

test('a form without mapping creates no subscriber, nor does a rejected submission', async () => {
  const tenant = await createMappedTenant();
  const address = newAddress();
  const submission = await submit(tenant, await createMapped(tenant, { enabled: false }), address);
  assert.deepEqual([submission.subscriber_created, typesOf(submission.events)], [false, ['received']]);
  const form = await createMapped(tenant);
  await tenant.api.post('/api/form_submissions', { ...bodyOf(form, address), form_data: {} }, 400);
  await tenant.api.post('/api/form_submissions', bodyOf(form, 'nobody'), 400);
  assert.deepEqual(await subscribersAt(tenant, address), []);
  assert.equal(await countOf(tenant, 'lists', tenant.list), 0);
});

test('many concurrent submissions of one address create one subscriber, with correct counts', async () => {
  const tenant = await createMappedTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  const submitted = await Promise.all(Array.from({ length: 12 }, () => submit(tenant, form, address)));
  assert.equal(submitted.filter((each) => each.subscriber_created).length, 1);
  const [subscriber, ...others] = await subscribersAt(tenant, address);
  assert.deepEqual([others, subscriber.version, subscriber.lists], [[], 1, [tenant.list]]);
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

test('a submission that cannot be stored creates no subscriber', async () => {
  const tenant = await createMappedTenant();
  const form = await createMapped(tenant);
  const address = newAddress();
  // A later row of the same transaction fails: its count cannot grow any more.
  const full = { submissions: 9_223_372_036_854_775_807n };
  const counts = Array.from({ length: 16 }, (_, slot) => slot);
  for (const slot of counts)
    await sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
      values (${tenant.tenantId}, ${form}, ${slot}, ${tenant.defaultUnitId}, ${full.submissions}, 0)`.execute(
      all,
    );
  await tenant.api.post('/api/form_submissions', bodyOf(form, address), 500);
  assert.deepEqual(await subscribersAt(tenant, address), []);
  assert.deepEqual([await countOf(tenant, 'lists', tenant.list), await reachable(tenant)], [0, 0]);
});
