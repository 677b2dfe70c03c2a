import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createClient } from '../../../../test/harness/client.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const PATH = '/api/client/v1/api-keys';
const INFO = '/api/tenant/info';

interface ListedKey {
  id: string;
  name: string;
  prefix: string;
  membership_id: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

async function list(tenant: TestTenant): Promise<ListedKey[]> {
  return (await tenant.api.get(PATH)).body.results;
}

function withKey(apiKey: string) {
  return createClient(app.url, { 'x-api-key': apiKey });
}

test('a key without a named membership belongs to the caller', async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.post(PATH, { name: 'Deploy' });
  assert.deepEqual(Object.keys(body), ['id', 'api_key']);
  assert.match(body.api_key, /^tsk_[a-z2-7]{16}_[A-Za-z0-9_-]{43}$/);
  await withKey(body.api_key).get(PATH);
  const [newest, first] = await list(tenant);
  assert.equal(newest?.membership_id, first?.membership_id);
});

test('a key of another membership acts with that membership’s rights', async () => {
  const tenant = await app.createTenant();
  const member = await createMember(tenant, []);
  assert.equal((await member.api.get(INFO)).body.code, tenant.code);
  assert.equal((await member.api.get(PATH, 403)).body.code, 'FORBIDDEN');
});

test('keys are listed newest first without their secret', async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.post(PATH, { name: 'Second' });
  const answer = await tenant.api.get(PATH);
  const [second, first]: ListedKey[] = answer.body.results;
  assert.deepEqual(Object.keys(second ?? {}), [
    'id',
    'name',
    'prefix',
    'membership_id',
    'created_at',
    'last_used_at',
    'revoked_at',
  ]);
  assert.equal(second?.id, body.id);
  assert.equal(second?.name, 'Second');
  assert.equal(second?.prefix, body.api_key.slice(0, 20));
  assert.equal(second?.revoked_at, null);
  assert.equal(first?.prefix, tenant.apiKey.slice(0, 20));
  for (const key of [body.api_key, tenant.apiKey]) assert.ok(!answer.text.includes(key.slice(21)));
});

test('no stored data reveals the secret', async () => {
  const tenant = await app.createTenant();
  const { rows } = await app.app.platform.database
    .everyTenant('tests')
    .raw(sql`select k::text as text from api_keys k`);
  assert.ok(rows.length > 0);
  assert.ok(!JSON.stringify(rows).includes(tenant.apiKey.slice(21)));
});

test('the last use of a key is recorded', async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.post(PATH, { name: 'Used' });
  assert.equal((await list(tenant))[0]?.last_used_at, null);
  await withKey(body.api_key).get(INFO);
  const used = await eventually('the use to be noted', async () => (await list(tenant))[0]?.last_used_at);
  assert.match(used, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('a revoked key is rejected immediately and stays listed', async () => {
  const tenant = await app.createTenant();
  const { id, api_key } = (await tenant.api.post(PATH, { name: 'Short-lived' })).body;
  await withKey(api_key).get(INFO);
  assert.deepEqual((await tenant.api.delete(`${PATH}/${id}`)).body, { id });
  assert.equal((await withKey(api_key).get(INFO, 401)).body.code, 'UNAUTHORIZED');
  const revoked = (await list(tenant)).find((key) => key.id === id)?.revoked_at;
  assert.match(revoked ?? '', /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual((await tenant.api.delete(`${PATH}/${id}`)).body, { id });
  assert.equal((await list(tenant)).find((key) => key.id === id)?.revoked_at, revoked);
});

test('an owner may revoke the key of the call', async () => {
  const tenant = await app.createTenant();
  const [first] = await list(tenant);
  await tenant.api.delete(`${PATH}/${first?.id}`);
  await tenant.api.get(INFO, 401);
});

test('an unknown, foreign or malformed membership or key is 404', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const [foreign] = await list(other);
  for (const membership_id of [foreign?.membership_id, crypto.randomUUID(), 'nonsense']) {
    const { body } = await tenant.api.post(PATH, { name: 'X', membership_id }, 404);
    assert.equal(body.code, 'NOT_FOUND');
  }
  for (const id of [foreign?.id, crypto.randomUUID(), 'nonsense'])
    assert.equal((await tenant.api.delete(`${PATH}/${id}`, 404)).body.code, 'NOT_FOUND');
  await other.api.get(INFO);
});

test('a malformed key is rejected by field', async () => {
  const { api } = await app.createTenant();
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'X', membership_id: 5 }, 'membership_id'],
  ] as const) {
    const answer = await api.post(PATH, body, 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.equal(answer.body.issues[0].field, field);
  }
});

test('only owners manage keys: 403 for others, 401 without a key', async () => {
  const tenant = await app.createTenant();
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const [key] = await list(tenant);
  for (const [client, status] of [
    [api, 403],
    [app.anonymous, 401],
  ] as const) {
    await client.get(PATH, status);
    await client.post(PATH, { name: 'X' }, status);
    await client.delete(`${PATH}/${key?.id}`, status);
  }
});

test('a key with another secret after a known prefix is rejected', async () => {
  const tenant = await app.createTenant();
  await withKey(`${tenant.apiKey.slice(0, 21)}${'A'.repeat(43)}`).get(INFO, 401);
  for (const key of ['', 'nonsense', `${tenant.apiKey}x`, tenant.apiKey.slice(0, 20)])
    await withKey(key).get(INFO, 401);
});

test('a bearer token in addition to a key is ignored on a platform path', async () => {
  const { api, code } = await app.createTenant();
  const both = api.with({ authorization: 'Bearer x' });
  assert.equal((await both.get(INFO)).body.code, code);
});

test('the operator replaces a lost key of the oldest owner, or of a member by address', async () => {
  const tenant = await app.createTenant();
  const member = await createMember(tenant, []);
  const path = `/admin/tenants/${tenant.code}/api-keys`;
  const first = (await app.admin.post(path, {})).body;
  assert.deepEqual(Object.keys(first), ['id', 'api_key']);
  const owned = (await withKey(first.api_key).get(PATH)).body.results;
  assert.equal(owned[0].name, 'Key of the operator');
  assert.equal(owned[0].membership_id, owned.at(-1).membership_id);
  const { results } = (await tenant.api.get('/api/client/v1/memberships')).body;
  const [{ email }] = results.filter(
    (each: { membership_id: string }) => each.membership_id === member.membershipId,
  );
  const second = (await app.admin.post(path, { email: email.toUpperCase(), name: 'Theirs' })).body;
  assert.equal((await withKey(second.api_key).get(PATH, 403)).body.code, 'FORBIDDEN');
  await app.admin.post(path, { email: 'nobody@example.com' }, 404);
  await app.admin.post('/admin/tenants/nobody/api-keys', {}, 404);
  await tenant.api.post(path, {}, 401);
});
