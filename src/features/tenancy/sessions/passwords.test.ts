import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer, Client } from '../../../../test/harness/client.ts';
import { createMember, signIn } from '../../../../test/harness/members.ts';
import { PASSWORD, startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'cluster'];

const app = await startTestApp();
const tenant = await app.createTenant();
const NEW = 'another sentence, just as long';

const login = (email: string, password: string, more: object = {}) =>
  app.anonymous.send('POST', '/auth/login', { body: { email, password, ...more } });
const change = (client: Client, current_password: string, password = NEW) =>
  client.send('PUT', '/auth/password', { body: { current_password, password } });

test('a changed password is the only valid one, and the sessions in all tenants end', async () => {
  const other = await app.createTenant();
  const { email } = await createMember(tenant, []);
  await other.api.post('/api/client/v1/memberships', { email, name: 'Ignored' });
  const elsewhere = await login(email, PASSWORD, { tenant_code: other.code });
  const here = await login(email, PASSWORD, { tenant_code: tenant.code });
  const bearer = app.anonymous.with({ authorization: `Bearer ${here.body.token}` });
  const neighbour = await signIn(tenant.api, (await createMember(tenant, [])).email);
  const answer = await change(bearer, PASSWORD);
  assert.deepEqual([answer.status, answer.body], [200, { success: true }]);
  for (const { body } of [here, elsewhere]) {
    const refresh = { body: { refresh_token: body.refresh_token } };
    assert.equal((await app.anonymous.send('POST', '/auth/refresh', refresh)).status, 401);
  }
  assert.equal((await change(bearer, NEW)).status, 401);
  assert.equal((await login(email, PASSWORD, { tenant_code: tenant.code })).status, 401);
  assert.equal((await login(email, NEW, { tenant_code: tenant.code })).status, 200);
  await neighbour.bearer.get('/api/openapi.json');
});

test('a sign-in with the old password during its change leaves no session', async () => {
  const { email } = await createMember(tenant, []);
  const { bearer } = await signIn(tenant.api, email);
  let isChanged = false;
  const changing = change(bearer, PASSWORD).finally(() => {
    isChanged = true;
  });
  const answers: Answer[] = [];
  const signInUntilChanged = async () => {
    while (!isChanged) answers.push(await login(email, PASSWORD));
  };
  await Promise.all(Array.from({ length: 4 }, signInUntilChanged));
  assert.equal((await changing).status, 200);
  for (const { body } of answers.filter(({ status }) => status === 200)) {
    const refresh = { body: { refresh_token: body.refresh_token } };
    assert.equal((await app.anonymous.send('POST', '/auth/refresh', refresh)).status, 401);
  }
});

test('a wrong current password changes nothing and counts as a failed sign-in', async () => {
  const { email } = await createMember(tenant, []);
  const { bearer } = await signIn(tenant.api, email);
  const wrong = await change(bearer, 'wrong password');
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body.errors, [
    { field: 'current_password', message: 'is not the current password' },
  ]);
  assert.equal((await change(bearer, PASSWORD, 'short')).status, 400);
  assert.equal((await login(email, PASSWORD)).status, 200);
});

test('only a signed-in user can change a password', async () => {
  assert.equal((await change(app.anonymous, PASSWORD)).status, 401);
  assert.equal((await change(tenant.api, PASSWORD)).status, 401);
});

test('the operator sets or generates a password, and the sessions of the user end', async () => {
  const { email } = await createMember(tenant, []);
  const { refreshToken } = await signIn(tenant.api, email);
  const path = '/admin/users/password';
  const generated = (await app.admin.post(path, { email: email.toUpperCase() })).body;
  assert.equal(generated.email, email);
  assert.match(generated.password, /^\w{20}$/);
  assert.equal((await login(email, generated.password)).status, 200);
  const refresh = { body: { refresh_token: refreshToken } };
  assert.equal((await app.anonymous.send('POST', '/auth/refresh', refresh)).status, 401);
  assert.deepEqual((await app.admin.post(path, { email, password: NEW })).body, { email, password: NEW });
  assert.equal((await login(email, NEW)).status, 200);
  await app.admin.post(path, { email: 'nobody@example.com' }, 404);
  await app.admin.post(path, { email, password: 'short' }, 400);
  await app.anonymous.post(path, { email }, 401);
});

test('a reactivated membership has none of its earlier sessions', async () => {
  const member = await createMember(tenant, []);
  const { bearer } = await signIn(tenant.api, member.email);
  const path = `/api/client/v1/memberships/${member.membershipId}`;
  await tenant.api.put(path, { status: 'inactive' });
  await app.admin.post('/admin/users/password', { email: member.email });
  await tenant.api.put(path, { status: 'active' });
  assert.equal((await bearer.send('GET', '/api/openapi.json')).status, 401);
});
