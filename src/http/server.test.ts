import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';
import { toAppError } from './error-reply.ts';

const app = await startTestApp();
const { api } = await app.createTenant();

/** Sends a body of `bytes` without waiting for the response, like most clients; returns the status. */
function sendLarge(bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...api.headers };
    const request = http.request(`${app.url}/api/forms`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(Buffer.alloc(bytes, ' '));
  });
}

for (const bytes of [10 * 1024 * 1024 + 1, 30 * 1024 * 1024]) {
  test(`a client that sends a body of ${bytes} bytes before reading gets the 413`, async () => {
    assert.equal(await sendLarge(bytes), 413);
  });
}

test('an unknown path is 401 without a credential, whatever the body, and 404 with one', async () => {
  for (const path of ['/api', '/api/nope', '/api/forms/a/b/c']) {
    for (const options of [{}, { rawBody: '{' }]) {
      assert.equal((await app.anonymous.send('POST', path, options)).body.code, 'UNAUTHORIZED');
    }
    assert.equal((await api.get(path, 404)).body.code, 'NOT_FOUND');
  }
  assert.equal((await app.anonymous.get('/admin/nope', 401)).body.code, 'UNAUTHORIZED');
  assert.equal((await app.admin.get('/admin/nope', 404)).body.code, 'NOT_FOUND');
  assert.equal((await app.anonymous.get('/nope', 404)).body.code, 'NOT_FOUND');
});

test('a route without a body accepts an empty one of any type', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await api.post(
    '/api/client/v1/business-units/018f0000-0000-7000-8000-000000000000/activate',
    undefined,
    404,
    { headers },
  );
  await api.post('/api/forms', undefined, 415, { headers, rawBody: 'a=1' });
});

test('at most a hundred errors are reported', async () => {
  const events = Array.from({ length: 1000 }, () => ({ type: 1 }));
  const { body } = await api.post('/api/marketing_events', { events }, 400);
  assert.equal(body.issues.length, 100);
});

test('a search with more words than a statement can hold is rejected', async () => {
  const list = { page: 1, limit: 1, filters: {}, search: 'a '.repeat(20_000) };
  const { body } = await api.post('/api/forms/list', list, 400);
  assert.deepEqual([body.code, body.issues[0].field], ['INVALID_REQUEST', 'search']);
});

test('a client that disconnects while sending causes no server error', () => {
  // Node and Fastify throw it like this; the error of a broken database connection has the code but no status.
  const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  assert.equal(toAppError(reset).definition.status, 500);
  assert.equal(toAppError(Object.assign(reset, { statusCode: 400 })).definition.status, 400);
});

test('HEAD is answered wherever GET is', async () => {
  for (const path of ['/healthz', '/metrics', '/docs', '/openapi.json', '/embed.js']) {
    assert.equal((await app.anonymous.send('HEAD', path)).status, 200, path);
  }
});

test("the operator's scheme is case-insensitive and its token is not", async () => {
  const send = (authorization: string) =>
    app.anonymous.send('GET', '/admin/tenants', { headers: { authorization } });
  assert.equal((await send('bearer test-admin-token')).status, 200);
  assert.equal((await send('Bearer TEST-ADMIN-TOKEN')).status, 401);
  assert.equal((await send('Basic test-admin-token')).status, 401);
});

test('malformed HTTP is answered in the usual shape of errors', async () => {
  const { hostname, port } = new URL(app.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').code, 'INVALID_REQUEST');
});

test('a query with invalid percent-encoding or UTF-8 is rejected', async () => {
  for (const query of ['?form_code=%FF', '?form_code=a?%FF'])
    assert.equal((await api.get(`/api/webhooks${query}`, 400)).body.code, 'INVALID_REQUEST');
});

/** Sends an unmodified request line; returns the status and body of the response. */
function sendLine(line: string, headers: Readonly<Record<string, string>> = {}): Promise<[number, string]> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    const lines = [
      line,
      'host: other.example',
      'connection: close',
      ...Object.entries(headers).map((pair) => pair.join(': ')),
    ];
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('error', reject);
    socket.on('end', () =>
      resolve([Number(text.split(' ', 2)[1]), text.slice(text.indexOf('\r\n\r\n') + 4)]),
    );
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

for (const [target, status] of [
  ['http://example.com/healthz', 200],
  ['http://example.com:8080/healthz?x=1', 200],
  ['HTTPS://Example.COM/healthz', 200],
  ['http://[::1]:3000/healthz', 200],
  ['http://example.com/api/forms/nope', 401],
  ['http://example.com/admin/tenants', 401],
  ['http://example.com/api/hooks/a/b?token=x', 401],
  ['http://example.com/nope', 404],
  ['http://example.com?x=1', 302],
  ['//example.com/healthz', 404],
] as const)
  test(`a request line may contain the whole URL: ${target}`, async () => {
    const [found] = await sendLine(`GET ${target} HTTP/1.1`);
    if (status === 302) assert.notEqual(found, 404);
    else assert.equal(found, status);
  });

test('HEAD is answered like GET without a body, for GETs that only read', async () => {
  const { api: own } = await app.createTenant();
  await own.post('/api/automations', {
    ...{ key: 'heard', name: 'Heard', app: 'tests', triggerType: 'webhook' },
    triggerParams: {},
  });
  const { pathname, search } = new URL((await own.get('/api/automations/heard')).body.webhook_url);
  for (const path of [
    ...['/healthz', '/readyz', '/openapi.json', '/docs', '/', '/embed.js'],
    ...['/api/forms/nope', '/api/lists/nope', '/api/email_settings', '/api/automations/heard', '/nope'],
    ...[pathname + search, `${pathname}?token=x`, '/api/hooks/nope/heard'],
  ]) {
    const [get, head] = [await own.send('GET', path), await own.send('HEAD', path)];
    assert.deepEqual([head.status, head.text], [get.status, ''], path);
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
  }
  const { body } = await own.get('/api/automations/heard/runs');
  await own.send('HEAD', pathname + search);
  assert.equal((await own.get('/api/automations/heard/runs')).body.total, body.total);
  assert.equal((await app.anonymous.send('HEAD', pathname + search)).status, 202);
  assert.equal((await app.anonymous.send('HEAD', `${pathname}?token=x`)).status, 401);
});
