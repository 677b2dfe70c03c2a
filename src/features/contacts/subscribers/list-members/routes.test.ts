import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { createSubscriber, getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

async function createList(more: object = {}): Promise<string> {
  return (await api.post('/api/lists', { name: 'List', ...more })).body.id;
}

async function countOf(listId: string): Promise<number> {
  return (await api.get(`/api/lists/${listId}`)).body.subscriber_count;
}

test('subscribers join and leave a list by address with one version each, and unknown addresses are reported', async () => {
  const [list, other] = [await createList(), await createList()];
  const ada = await createSubscriber(tenant, { lists: [other] });
  const bob = await createSubscriber(tenant, { active: false, inactive_reason: 'asked', lists: [list] });
  const emails = [
    ` ${ada.body.email.toUpperCase()}`,
    ada.body.email,
    bob.body.email,
    'nobody@example.org',
    '?',
  ];
  const added = await api.post(`/api/lists/${list}/members`, { emails });
  assert.deepEqual(added.body, { added: 1, unknown: ['nobody@example.org', '?'] });
  const joined = await getSubscriber(tenant, ada.id);
  assert.deepEqual([joined.lists, joined.version], [[list, other].sort(), 2]);
  assert.equal((await getSubscriber(tenant, bob.id)).version, 1, 'an existing member stays unchanged');
  assert.equal(await countOf(list), 2);
  const removed = await api.post(`/api/lists/${list}/members/remove`, { emails });
  assert.deepEqual(removed.body, { removed: 2 });
  const subscriber = await getSubscriber(tenant, ada.id);
  assert.deepEqual([subscriber.lists, subscriber.version], [[other], 3]);
  assert.deepEqual([await countOf(list), await countOf(other)], [0, 1]);
});

test('subscribers can also be referenced by id', async () => {
  const list = await createList();
  const { id } = await createSubscriber(tenant);
  const absent = crypto.randomUUID();
  const added = await api.post(`/api/lists/${list}/members`, { subscriber_ids: [id, absent, 'nonsense'] });
  assert.deepEqual(added.body, { added: 1, unknown: [absent, 'nonsense'] });
  const removed = await api.post(`/api/lists/${list}/members/remove`, { subscriber_ids: [id, absent] });
  assert.deepEqual(removed.body, { removed: 1 });
});

test('a call references subscribers in one way, and an existing list', async () => {
  const list = await createList();
  for (const body of [{}, { emails: [], subscriber_ids: [] }]) {
    const answer = await api.post(`/api/lists/${list}/members`, body, 400);
    assert.deepEqual(answer.body.issues, [
      { field: 'emails', message: 'or subscriber_ids is required, but not both' },
    ]);
  }
  await api.post(`/api/lists/${crypto.randomUUID()}/members`, { emails: [] }, 404);
});

test('an address in several units means the subscriber in the unit of the list', async () => {
  const business_unit = await createUnit(tenant, 'South');
  const inDefault = await createSubscriber(tenant);
  const { id } = (await api.post('/api/subscribers', { ...inDefault.body, business_unit })).body;
  const list = await createList({ business_unit });
  await api.post(`/api/lists/${list}/members`, { emails: [inDefault.body.email] });
  assert.deepEqual((await getSubscriber(tenant, id)).lists, [list]);
  assert.deepEqual((await getSubscriber(tenant, inDefault.id)).lists, []);
});

test('a caller who is not an editor of a subscriber changes none', async () => {
  const unit = await createUnit(tenant, 'East');
  const list = await createList();
  const { id } = await createSubscriber(tenant, { business_unit: unit });
  const defaultUnit = (await api.get(`/api/lists/${list}`)).body.business_unit;
  const member = await createMember(tenant, [
    { bu_id: defaultUnit, role: 'editor' },
    { bu_id: unit, role: 'viewer' },
  ]);
  await member.api.post(`/api/lists/${list}/members`, { subscriber_ids: [id] }, 403);
  assert.deepEqual((await getSubscriber(tenant, id)).lists, []);
});

test('thousands of subscribers join at once', async () => {
  const list = await createList();
  const rows = Array.from({ length: 2500 }, (_, index) => `many-${index}@example.org,Many`);
  const { import_id } = (
    await api.post('/api/subscribers/import?mode=insert', undefined, 200, {
      rawBody: ['email,first_name', ...rows].join('\n'),
      headers: { 'content-type': 'text/csv' },
    })
  ).body;
  const isDone = async () =>
    (await api.get(`/api/subscribers/import/${import_id}`)).body.status === 'completed';
  await eventually('the end of the import', isDone);
  const emails = rows.map((row) => row.split(',')[0]);
  const added = await api.post(`/api/lists/${list}/members`, { emails });
  assert.deepEqual(added.body, { added: 2500, unknown: [] });
  assert.equal(await countOf(list), 2500);
});
