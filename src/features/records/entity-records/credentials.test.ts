/**
 * Credentials for a path that both surfaces could serve (docs/specification/conventions.md#addresses-and-credentials).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const title = { name: 'title', type: 'string' };
const tenant = await createRecordsTenant(app, [
  { name: 'customer', fields: [title] },
  { name: 'lists', fields: [title] },
]);
const { api, owner } = tenant;
const both = owner.with(api.headers);

test('a path of an entity called with only a key says that it requires an access token', async () => {
  for (const [method, path] of [
    ['GET', '/api/customer'],
    ['POST', '/api/customer'],
    ['DELETE', '/api/customer/00000000-0000-7000-8000-000000000000?x=1'],
  ] as const) {
    const { status, body } = await api.send(method, path);
    assert.deepEqual(
      [status, body.error, body.code, /takes the access token/.test(body.message)],
      [401, 'unauthorized', 'UNAUTHORIZED', true],
      `${method} ${path}`,
    );
  }
});

test('a path of neither the platform nor an entity is not found, with either credential', async () => {
  assert.equal((await api.get('/api/custmer', 404)).body.code, 'NOT_FOUND');
  assert.equal((await owner.get('/api/custmer', 404)).body.error, 'not_found');
});

test('an entity of another tenant is not found', async () => {
  const other = await app.createTenant();
  await other.api.get('/api/customer', 404);
});

test('an entity named like an area of the platform is reached with the token, the area with the key', async () => {
  const { id } = (await owner.post('/api/lists', { title: 'A' })).body;
  assert.equal((await owner.get(`/api/lists/${id}`)).body.title, 'A');
  assert.equal(
    (await owner.get('/api/lists/00000000-0000-7000-8000-000000000000', 404)).body.error,
    'not_found',
  );
  const { body } = await api.post('/api/lists', { name: 'Newsletter' });
  assert.equal((await api.get(`/api/lists/${body.id}`)).body.name, 'Newsletter');
});

test('of two credentials the token counts on paths of entities, the key on those of the platform', async () => {
  assert.equal((await both.post('/api/customer', { title: 'Ada' })).body.title, 'Ada');
  assert.equal((await both.post('/api/lists', { name: 'Both' })).body.title, undefined);
  assert.ok(Array.isArray((await both.get('/api/webhooks')).body.results));
});

const service = api.with({ 'x-tessera-surface': 'records' });

test('a service calls records with an API key, without the hourly limit of users', async () => {
  const answer = await service.post('/api/customer', { title: 'Ada' });
  assert.equal(answer.body._created_by, tenant.ownerUserId);
  assert.equal(answer.headers.get('x-ratelimit-limit'), null);
  assert.equal((await service.get(`/api/customer/${answer.body.id}`)).body.title, 'Ada');
  await service.post('/api/webhooks', { url: 'https://example.com/', events: ['customer.created'] }, 400);
  const missing = await service.get('/api/customer/none', 404);
  assert.deepEqual([missing.body.error, missing.headers.get('x-ratelimit-limit')], ['not_found', null]);
});

test("a service has the roles and the unit of its key's membership", async () => {
  const unit = await createUnit(tenant, 'North');
  const viewer = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  const reader = viewer.api.with({ 'x-tessera-surface': 'records' });
  await reader.get('/api/customer');
  await reader.post('/api/customer', { title: 'Eve' }, 403);
});

test('a service needs a valid key, and omits X-Tessera-Surface on platform paths', async () => {
  const bad = await service.with({ 'x-api-key': 'tsk_x' }).get('/api/customer', 401);
  assert.match(bad.body.message, /API key/);
  const { body } = await service.get('/api/client/v1/business-units', 401);
  assert.match(body.message, /without X-Tessera-Surface/);
  await service.put('/auth/password', { current_password: 'x', password: 'long enough' }, 401);
});

test('an Authorization header without a bearer token is ignored', async () => {
  const basic = { authorization: 'Basic dXNlcjpwYXNz' };
  await api.get('/api/tenant/info', 200, { headers: basic });
  const { body } = await api.get('/api/customer', 401, { headers: basic });
  assert.match(body.message, /takes the access token/);
});

test('a 401 has error, message and code on every surface', async () => {
  const anonymous = api.with({ 'x-api-key': '' });
  const bearer = { headers: { authorization: 'Bearer nonsense' } };
  const answers = [
    await anonymous.get('/api/tenant/info', 401),
    await anonymous.get('/api/customer', 401),
    await anonymous.get('/api/customer', 401, bearer),
    await anonymous.get('/admin/tenants', 401, bearer),
    await anonymous.post('/api/ai/conversation/messages', { message: 'x' }, 401, bearer),
    await anonymous.get('/api/templates', 401),
  ];
  for (const { body, text } of answers) {
    const flat = body.error?.code ? body.error : body;
    assert.ok(flat.message && flat.code === 'UNAUTHORIZED' && 'error' in body, text);
  }
});
