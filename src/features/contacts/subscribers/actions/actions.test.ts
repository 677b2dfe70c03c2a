import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { act, preview } from '../../../../../test/harness/actions.ts';
import { createUnit } from '../../../../../test/harness/members.ts';
import { defineTypes, subscriptionType } from '../../../../../test/harness/preferences.ts';
import { createSubscriber, getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';
import { AppError } from '../../../../errors/app-error.ts';
import { ActionFailure, type ActionResult } from '../../../../flows/action-type.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const site = { platform: app.app.platform, tenantId: tenant.tenantId };
await defineTypes(tenant, [subscriptionType('news'), subscriptionType('offers')]);

async function createList(name = 'Customers'): Promise<string> {
  return (await api.post('/api/lists', { name })).body.id;
}

function idOf(result: ActionResult): string {
  const id = typeof result === 'object' && result !== null && 'id' in result && result.id;
  assert.ok(typeof id === 'string');
  return id;
}

const newAddress = () => `p-${randomUUID()}@example.com`;

/** Returns the versions of a subscriber in history. */
async function versionsOf(id: string): Promise<{ actor: object; version: number }[]> {
  return (await api.get(`/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`)).body;
}

const failure = (code: string, field?: string) => (error: unknown) => {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, code);
  assert.equal(error.issues?.[0]?.field, field);
  return true;
};

const unusable = (error: unknown) => error instanceof ActionFailure && error.isFinal;

test('an unknown address becomes an active subscriber of the Default unit, created by the automation', async () => {
  const listId = await createList();
  const email = newAddress();
  const additional_fields_data = { visits: 3, city: 'London', gone: null };
  const params = { email, first_name: 'Ada', last_name: null, lists: [listId], additional_fields_data };
  const id = idOf(await act(site, 'upsertSubscriber', params));
  const read = await getSubscriber(tenant, id);
  assert.deepEqual(
    [read.email, read.first_name, read.last_name, read.active, read.lists, read.business_unit],
    [email, 'Ada', null, true, [listId], tenant.defaultUnitId],
  );
  assert.deepEqual(read.additional_fields_data, { visits: 3, city: 'London' });
  const [version] = await versionsOf(id);
  assert.deepEqual(version?.actor, {
    ...{ kind: 'automation', key: 'tested', chain: [], depth: 1 },
    run_id: (version?.actor as { run_id?: string }).run_id,
  });
});

test('an unknown address without a first name becomes a subscriber with the local part as first name', async () => {
  const email = newAddress();
  const id = idOf(await act(site, 'upsertSubscriber', { email }));
  assert.equal((await getSubscriber(tenant, id)).first_name, email.split('@')[0]);
});

test('only the specified fields of an existing subscriber change, and an inactive one stays inactive', async () => {
  const [listId, otherId] = [await createList(), await createList('Others')];
  const { id, body } = await createSubscriber(tenant, {
    ...{ lists: [listId], active: false, inactive_reason: 'Away' },
    additional_fields_data: { city: 'London', visits: 1 },
    subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
  });
  const before = await getSubscriber(tenant, id);
  const email = body.email.toUpperCase();
  const changed = { email, first_name: 'Grace', additional_fields_data: { visits: 2 } };
  assert.deepEqual(await act(site, 'upsertSubscriber', changed), { id });
  const { version, updated_at, ...after } = await getSubscriber(tenant, id);
  const expected = { ...before, email, first_name: 'Grace' };
  expected.additional_fields_data = { city: 'London', visits: 2 };
  assert.deepEqual({ ...after, version: 1, updated_at: before.updated_at }, expected);
  assert.equal(version, 2);
  assert.notEqual(updated_at, null);
  await act(site, 'upsertSubscriber', { email, first_name: 'Grace', lists: [otherId] });
  assert.deepEqual((await getSubscriber(tenant, id)).lists, [otherId]);
});

test('an address in several units means the subscriber of the Default unit, else the oldest', async () => {
  const [first, second] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
  const email = newAddress();
  const oldest = await createSubscriber(tenant, { email, business_unit: first });
  const newer = await createSubscriber(tenant, { email, business_unit: second });
  const listId = await createList();
  assert.deepEqual(await act(site, 'addToList', { email, list_id: listId }), { id: oldest.id });
  assert.deepEqual(await act(site, 'upsertSubscriber', { email, first_name: 'Grace' }), { id: oldest.id });
  const own = await createSubscriber(tenant, { email });
  assert.deepEqual(await act(site, 'addToList', { email, list_id: listId }), { id: own.id });
  assert.equal((await getSubscriber(tenant, newer.id)).version, 1);
});

test('a subscriber who is added to a list twice is a member once, and can be removed', async () => {
  const [listId, otherId] = [await createList(), await createList('Others')];
  const { id } = await createSubscriber(tenant, { lists: [otherId] });
  const params = { subscriber_id: id, list_id: listId };
  assert.deepEqual(await act(site, 'addToList', params), { id });
  await act(site, 'addToList', params);
  assert.deepEqual((await getSubscriber(tenant, id)).lists.toSorted(), [listId, otherId].toSorted());
  assert.equal((await api.get(`/api/lists/${listId}`)).body.subscriber_count, 1);
  assert.deepEqual(await act(site, 'removeFromList', params), { id });
  await act(site, 'removeFromList', params);
  const read = await getSubscriber(tenant, id);
  assert.deepEqual([read.lists, read.version], [[otherId], 3]);
  assert.equal((await api.get(`/api/lists/${listId}`)).body.subscriber_count, 0);
  const kinds = (await versionsOf(id)).map(({ actor }) => (actor as { kind?: string }).kind);
  assert.deepEqual(kinds, ['member', 'automation', 'automation']);
});

test('a subscriber unsubscribes from a type and subscribes again', async () => {
  const { id, body } = await createSubscriber(tenant);
  const choose = (subscribe: boolean) =>
    act(site, 'updateSubscription', { email: body.email, subscription_type_id: 'offers', subscribe });
  assert.deepEqual(await choose(false), { id });
  const [left] = (await getSubscriber(tenant, id)).subscription_preferences;
  assert.deepEqual([left.subscription_type_id, left.subscribed], ['offers', false]);
  assert.deepEqual(await choose(true), { id });
  assert.equal((await getSubscriber(tenant, id)).subscription_preferences[0].subscribed, true);
});

test('a write is rolled back when the run cannot store its result', async () => {
  const { id } = await createSubscriber(tenant);
  const lost = new Error('The run could not be noted.');
  const params = { subscriber_id: id, list_id: await createList() };
  await assert.rejects(
    act(site, 'addToList', params, () => Promise.reject(lost)),
    lost,
  );
  const read = await getSubscriber(tenant, id);
  assert.deepEqual([read.lists, read.version], [[], 1]);
});

test('unknown references are refused as by the API, in a run and in a dry run', async () => {
  const { id, body } = await createSubscriber(tenant);
  const listId = await createList();
  const person = { email: body.email };
  const known = { email: body.email, first_name: 'Ada' };
  for (const [key, params, isExpected] of [
    ['upsertSubscriber', { ...known, email: 'nobody' }, failure('INVALID_SUBSCRIBER', 'email')],
    ['upsertSubscriber', { ...known, lists: ['x'] }, failure('INVALID_SUBSCRIBER', 'lists[0]')],
    ['upsertSubscriber', { ...known, audiences: [listId] }, failure('INVALID_SUBSCRIBER', 'audiences[0]')],
    ['addToList', { ...person, list_id: randomUUID() }, failure('INVALID_SUBSCRIBER', 'list_id')],
    ['removeFromList', { ...person, list_id: 'x' }, failure('INVALID_SUBSCRIBER', 'list_id')],
    ['addToList', { email: newAddress(), list_id: listId }, failure('NOT_FOUND')],
    ['addToList', { subscriber_id: randomUUID(), list_id: listId }, failure('NOT_FOUND')],
    ['removeFromList', { subscriber_id: 'x', list_id: listId }, failure('NOT_FOUND')],
    ['addToList', { list_id: listId }, unusable],
    ['addToList', { ...person, subscriber_id: id, list_id: listId }, unusable],
    [
      'updateSubscription',
      { ...person, subscription_type_id: 'x', subscribe: true },
      failure('INVALID_SUBSCRIBER', 'subscription_updates[0].subscription_type_id'),
    ],
    ['updateSubscription', { ...person, subscription_type_id: 'news', subscribe: 'yes' }, unusable],
  ] as const) {
    await assert.rejects(act(site, key, params), isExpected);
    await assert.rejects(preview(site, key, params), isExpected);
  }
  assert.equal((await getSubscriber(tenant, id)).version, 1);
});

test('a subscriber of another tenant is not found', async () => {
  const other = await app.createTenant();
  const { id, body } = await createSubscriber(other);
  const list_id = await createList();
  await assert.rejects(act(site, 'addToList', { subscriber_id: id, list_id }), failure('NOT_FOUND'));
  await assert.rejects(act(site, 'addToList', { email: body.email, list_id }), failure('NOT_FOUND'));
});

test('a dry run returns the subscriber and changes nothing', async () => {
  const { id, body } = await createSubscriber(tenant);
  const listId = await createList();
  const { email } = body;
  for (const [key, params] of [
    ['upsertSubscriber', { email, first_name: 'Grace', lists: [listId] }],
    ['addToList', { email, list_id: listId }],
    ['removeFromList', { subscriber_id: id, list_id: listId }],
    ['updateSubscription', { email, subscription_type_id: 'news', subscribe: false }],
  ] as const)
    assert.deepEqual(await preview(site, key, params), { id });
  const read = await getSubscriber(tenant, id);
  assert.deepEqual([read.version, read.lists, read.subscription_preferences], [1, [], []]);
  const stranger = newAddress();
  assert.deepEqual(await preview(site, 'upsertSubscriber', { email: stranger, first_name: 'Ada' }), {
    id: null,
  });
  const filters = { email: { operation: 'eq', value: stranger } };
  assert.equal((await api.post('/api/subscribers/list', { page: 1, limit: 10, filters })).body.total, 0);
});
