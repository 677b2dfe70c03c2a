/** Subscribers by address, in any spelling. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createUnit } from '../../../../test/harness/members.ts';
import { getSubscriber, subscriberBody } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/subscribers';
const tenant = await app.createTenant();
const { api } = tenant;

function pathOf(email: string): string {
  return `${PATH}/by-email/${encodeURIComponent(email)}`;
}

async function find({ api }: TestTenant, filters: object): Promise<string[]> {
  const { body } = await api.post(`${PATH}/list`, { page: 1, limit: 100, filters });
  return body.results.map((each: { email: string }) => each.email).sort();
}

test('an address creates a subscriber once and updates it later, keeping absent fields', async () => {
  const list = (await api.post('/api/lists', { name: 'News' })).body.id;
  const { body: first } = await api.put(pathOf('grace.hopper@example.org'), { lists: [list] });
  assert.deepEqual(first, { id: first.id, created: true });
  const made = await getSubscriber(tenant, first.id);
  assert.deepEqual([made.first_name, made.active, made.lists], ['grace.hopper', true, [list]]);
  const change = { first_name: 'Grace', additional_fields_data: { city: 'York' } };
  const second = await api.put(pathOf('Grace.Hopper@EXAMPLE.org'), change);
  assert.deepEqual(second.body, { id: first.id, created: false });
  const changed = await getSubscriber(tenant, first.id);
  assert.deepEqual(
    [changed.first_name, changed.email, changed.lists, changed.additional_fields_data, changed.version],
    ['Grace', 'grace.hopper@example.org', [list], { city: 'York' }, 2],
  );
  const same = await api.put(pathOf('grace.hopper@example.org'), change);
  assert.deepEqual(same.body, { id: first.id, created: false });
  assert.equal((await getSubscriber(tenant, first.id)).version, 2, 'nothing has changed');
});

test('PATCH by address changes only an existing subscriber', async () => {
  await api.patch(pathOf('nobody@example.org'), { first_name: 'No' }, 404);
  const { id } = (await api.put(pathOf('pat@example.org'), {})).body;
  const patched = await api.patch(pathOf('pat@example.org'), { last_name: 'Lee' });
  assert.deepEqual(patched.body, { id, created: false });
  assert.equal((await getSubscriber(tenant, id)).last_name, 'Lee');
});

test('an invalid body by address is refused, and so is an address that differs from the path', async () => {
  const faults = async (email: string, body: object) => {
    const answer = await api.put(pathOf(email), body, 400);
    assert.equal(answer.body.code, 'INVALID_SUBSCRIBER');
    return answer.body.issues.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await faults('not an address', {}), ['email']);
  assert.deepEqual(await faults('ada@example.org', { email: 'other@example.org' }), ['email']);
  assert.deepEqual(await faults('ada@example.org', { active: false }), ['inactive_reason']);
  assert.deepEqual(await faults('ada@example.org', { lists: ['nonsense'] }), ['lists[0]']);
  await api.put(pathOf('ada@example.org'), { version: 3 });
  await api.put(pathOf('ada@example.org'), { first_name: 'Ada', version: 7 }, 409);
});

test('another business unit has its own subscriber with the same address', async () => {
  const first = (await api.put(pathOf('two@example.org'), {})).body;
  const business_unit = await createUnit(tenant, 'North');
  const second = (await api.put(pathOf('two@example.org'), { business_unit })).body;
  assert.deepEqual([second.created, second.id === first.id], [true, false]);
  assert.equal((await api.put(pathOf('two@example.org'), { business_unit })).body.id, second.id);
});

test('of two concurrent first calls for an address, one creates and the other updates', async () => {
  const answers = await Promise.all(
    ['Ann', 'Bea'].map((first_name) => api.put(pathOf('race@example.org'), { first_name })),
  );
  assert.deepEqual(answers.map(({ body }) => body.created).sort(), [false, true]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
});

test('filters of subscribers compare complete addresses in their normalized form', async () => {
  const own = await app.createTenant();
  const email = 'Zoë@MÜNCHEN.example';
  for (const each of [email, 'other@example.org']) await own.api.post(PATH, subscriberBody({ email: each }));
  for (const value of [email, ' zoë@münchen.example', 'ZOË@xn--mnchen-3ya.example']) {
    assert.deepEqual(await find(own, { email: { operation: 'eq', value } }), [email]);
    assert.deepEqual(await find(own, { email: { operation: 'in', value: [value, 'no@example.org'] } }), [
      email,
    ]);
    assert.deepEqual(await find(own, { email: { operation: 'ne', value } }), ['other@example.org']);
    assert.deepEqual(await find(own, { email: { operation: 'nin', value: [value] } }), ['other@example.org']);
  }
  assert.deepEqual(await find(own, { email: { operation: 'like', value: 'münchen' } }), [email]);
  for (const value of ['ZOË@München.example', 'zoë@xn--mnchen-3ya.example\t', '\u00a0Zoë@MÜNCHEN。example']) {
    const around = { operation: 'between', value: [value, value] };
    assert.deepEqual(await find(own, { email: around }), [email]);
    assert.deepEqual(await find(own, { email: { gte: value, lte: value } }), [email]);
    assert.deepEqual(await find(own, { email: { operation: 'equals', value } }), [email]);
  }
});

test('parts of addresses find all spellings of a domain, by like and by search', async () => {
  const own = await app.createTenant();
  const stored = [
    'zoë@münchen.example',
    'max@xn--mnchen-3ya.example',
    'квіточка@пошта.укр',
    'other@example.org',
  ];
  for (const email of stored) await own.api.post(PATH, subscriberBody({ email }));
  const [zoe, max, ukrainian, other] = stored;
  const cases: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['münchen', [zoe, max]],
    ['MÜNCHEN.exam', [zoe, max]],
    ['@münchen.example', [zoe, max]],
    ['@mu\u0308nchen.', [zoe, max]],
    ['max@münchen', [max]],
    ['zoë@xn--mnchen-3ya', [zoe]],
    ['xn--mnchen', [zoe, max]],
    ['XN--MNCHEN-3YA.EXAMPLE', [zoe, max]],
    ['zoë', [zoe]],
    ['пошта', [ukrainian]],
    ['.укр', [ukrainian]],
    ['xn--j1amh', [ukrainian]],
    ['xn--%', []],
    ['%', []],
    ['zürich', []],
    ['.example', [zoe, max]],
    ['example', [zoe, max, other]],
  ];
  for (const [value, found] of cases) {
    const expected = found.filter((email) => email !== undefined).sort();
    assert.deepEqual(await find(own, { email: { operation: 'like', value } }), expected, value);
    const others = stored.filter((email) => !expected.includes(email)).sort();
    assert.deepEqual(await find(own, { email: { operation: 'nlike', value } }), others, `not ${value}`);
    const { body } = await own.api.post(`${PATH}/list`, { page: 1, limit: 100, filters: {}, search: value });
    const searched = body.results.map(({ email }: { email: string }) => email).sort();
    assert.deepEqual(searched, expected, `search ${value}`);
    assert.equal(body.total, expected.length);
  }
});
