/** Which credential a path takes that both surfaces may have (docs/specification/conventions.md#addresses-and-credentials). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant } from '../../../test/harness/records.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp();
const title = { name: 'title', type: 'string' };
const tenant = await createRecordsTenant(app, [
  { name: 'customer', fields: [title] },
  { name: 'lists', fields: [title] },
]);
const { api, person } = tenant;
const both = person.with(api.headers);

test('a path of an entity tells who comes with a key alone that it takes an access token', async () => {
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

test('a path that neither the platform nor an entity has is not found, with either credential', async () => {
  assert.equal((await api.get('/api/custmer', 404)).body.code, 'NOT_FOUND');
  assert.equal((await person.get('/api/custmer', 404)).body.error, 'not_found');
});

test('an entity of another tenant is no entity', async () => {
  const other = await app.createTenant();
  await other.api.get('/api/customer', 404);
});

test('an entity that is called like an area of the platform is reached by the token, the area by the key', async () => {
  const { id } = (await person.post('/api/lists', { title: 'A' })).body;
  assert.equal((await person.get(`/api/lists/${id}`)).body.title, 'A');
  assert.equal(
    (await person.get('/api/lists/00000000-0000-7000-8000-000000000000', 404)).body.error,
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
