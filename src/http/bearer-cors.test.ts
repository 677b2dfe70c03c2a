/**
 * Single page applications of other origins call the surface of entity records (docs/specification/records.md#limits).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createClient } from '../../test/harness/client.ts';
import { createRecordsTenant } from '../../test/harness/records.ts';
import { PASSWORD, startOwnApp } from '../../test/harness/test-app.ts';

const PAGE = 'https://app.example.com';
const app = await startOwnApp({ CORS_ORIGINS: `${PAGE},http://localhost:5173` });
const tenant = await createRecordsTenant(app, [
  { name: 'gadget', fields: [{ name: 'title', type: 'string' }] },
]);
const from = (origin: string, url = app.url) => createClient(url, { origin });
const allowed = (headers: Headers) => headers.get('access-control-allow-origin');

test('a page of an allowed origin signs in, sends preflights, calls, and reads the quota headers', async () => {
  const page = from(PAGE);
  for (const [path, methods] of [
    ['/auth/login', ['POST']],
    ['/api/gadget', ['GET', 'POST']],
    ['/api/gadget/bulk', ['DELETE', 'POST', 'PUT']],
  ] as const) {
    const { status, headers } = await page.send('OPTIONS', path);
    assert.deepEqual([status, allowed(headers)], [204, PAGE]);
    assert.deepEqual(headers.get('access-control-allow-methods')?.split(', ').sort(), methods);
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-business-unit'])
      assert.ok(headers.get('access-control-allow-headers')?.split(', ').includes(name), name);
    assert.equal(headers.get('access-control-allow-credentials'), null);
  }
  const signedIn = await page.post('/auth/login', { email: tenant.ownerEmail, password: PASSWORD });
  assert.equal(allowed(signedIn.headers), PAGE);
  const records = page.with({ authorization: `Bearer ${signedIn.body.token}` });
  const { headers } = await records.get('/api/gadget');
  assert.deepEqual([allowed(headers), headers.get('vary')], [PAGE, 'Origin']);
  const readable = headers.get('access-control-expose-headers')?.split(', ') ?? [];
  for (const name of ['retry-after', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    assert.ok(readable.includes(name), name);
});

test('such a page can read errors, too: a wrong password, an ended session, an invalid record', async () => {
  const page = from(PAGE);
  const records = page.with({ authorization: tenant.owner.headers.authorization ?? '' });
  const refused = [
    await page.post('/auth/login', { email: tenant.ownerEmail, password: 'wrong' }, 401),
    await page.with({ authorization: 'Bearer ended' }).get('/api/gadget', 401),
    await records.post('/api/gadget', { title: 7 }, 400),
    await records.get('/api/gadget/nothing', 404),
  ];
  for (const { headers, text } of refused) assert.equal(allowed(headers), PAGE, text);
});

test('a page of any other origin is rejected, and changes nothing', async () => {
  for (const origin of ['https://other.example', 'http://app.example.com', `${PAGE}:8443`, 'null']) {
    const page = from(origin).with({ authorization: tenant.owner.headers.authorization ?? '' });
    const answers = [
      await page.send('OPTIONS', '/api/gadget'),
      await page.send('POST', '/api/gadget', { body: { title: 'foreign' } }),
      await page.send('POST', '/auth/login', { body: { email: tenant.ownerEmail, password: PASSWORD } }),
    ];
    for (const { status, headers } of answers) assert.deepEqual([status, allowed(headers)], [403, null]);
  }
  assert.equal((await tenant.owner.get('/api/gadget')).body.pagination.total, 0);
});

test('allowed origins do not apply to calls with an API key', async () => {
  const page = from(PAGE).with({ 'x-api-key': tenant.apiKey });
  assert.equal(allowed((await page.get('/api/tenant/info')).headers), null);
});

test('without allowed origins, calls are answered as usual and no page may read them', async () => {
  const usual = await startOwnApp();
  const own = await createRecordsTenant(usual, []);
  const credentials = { email: own.ownerEmail, password: PASSWORD };
  const { headers } = await from(PAGE, usual.url).post('/auth/login', credentials);
  assert.equal(allowed(headers), null);
  assert.equal(allowed((await own.owner.with({ origin: PAGE }).get('/api/openapi.json')).headers), null);
  assert.equal(allowed((await from(PAGE, usual.url).send('OPTIONS', '/api/gadget')).headers), null);
});
