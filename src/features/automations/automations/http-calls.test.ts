import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:https';
import test from 'node:test';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../../test/harness/certificate.ts';
import { createClient } from '../../../../test/harness/client.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const receiver = await startReceiver();
const path = '/api/automations';

let count = 0;

function answerWith(status: number): void {
  receiver.answer = (_request, response) => void response.writeHead(status).end('ok');
}

/** Creates an automation with a hook that makes one call. */
async function automation(params: object) {
  count += 1;
  const key = `call_${count}`;
  const call = { method: 'POST', url: receiver.url, ...params };
  const actions = [{ key: 'call', name: 'Call', actionTypeKey: 'httpRequest', params: call }];
  const definition = { key, app: 'test', name: 'Test', triggerType: 'webhook', triggerParams: {}, actions };
  await api.post(path, definition);
  return key;
}

/** Returns a run that has ended or waits for a retry. */
async function tried(key: string, id: string) {
  return eventually('an attempt', async () => {
    const { body } = await api.get(`${path}/${key}/runs/${id}`);
    return body.attempts === 1 && body;
  });
}

/** Runs one call. */
async function runOnce(params: object, trigger?: object) {
  const key = await automation(params);
  const { body } = await api.post(`${path}/${key}/run`, { trigger }, 202);
  return tried(key, String(body.run_id));
}

test('a call that fails because of its own data is not retried', async () => {
  answerWith(200);
  const calls: readonly (readonly [params: object, error: RegExp])[] = [
    [{ headers: { Host: 'inner.example' } }, /headers\.Host/],
    [{ headers: { 'Content-Length': '5' } }, /headers\.Content-Length/],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, /headers\.Transfer-Encoding/],
    [{ headers: { 'Proxy-Authorization': 'Basic eDp5' } }, /headers\.Proxy-Authorization/],
    [{ headers: { 'Tessera-Chain': 'x' } }, /headers\.Tessera-Chain/],
    [{ headers: { 'X A': 'x' } }, /headers\.X A/],
    [{ headers: { 'X-Name': '{{trigger.name}}' } }, /headers\.X-Name.*Latin-1/],
    [{ headers: { 'X-Lines': '{{trigger.lines}}' } }, /headers\.X-Lines/],
    [{ url: '{{trigger.url}}' }, /https?:\/\//],
    [{ url: 'https://{{trigger.host}}/' }, /valid URL/],
    [{ url: '{{trigger.secret}}' }, /user name or password/],
    [{ url: 'http://{{trigger.metadata}}/latest/meta-data' }, /blocked by policy/],
  ];
  const trigger = {
    ...{ name: 'Łukasz', lines: 'a\r\nX-B: 1', url: 'ftp://files.example/a', host: 'a b' },
    ...{ secret: 'https://me:pw@x.example/', metadata: '169.254.169.254' },
  };
  const before = receiver.received.length;
  for (const [params, error] of calls) {
    const { status, attempts, error: runError } = await runOnce(params, trigger);
    assert.deepEqual([status, attempts], ['failed', 1], JSON.stringify(params));
    assert.match(runError, error);
  }
  assert.equal(receiver.received.length, before);
});

test('a response that rejects the request is final, any other failure is retried', async () => {
  for (const status of [301, 302, 307, 308, 400, 405, 406, 410, 411, 413, 414, 415, 422, 431, 501, 505]) {
    answerWith(status);
    const found = await runOnce({});
    assert.deepEqual([found.status, found.actions[0].result.status], ['failed', status]);
  }
  for (const status of [401, 403, 404, 408, 409, 421, 423, 425, 429, 500, 502, 503, 504]) {
    answerWith(status);
    assert.equal((await runOnce({})).status, 'running', String(status));
  }
  const closed = await runOnce({ url: 'http://127.0.0.1:9/' });
  assert.equal(closed.status, 'running', closed.error);
  answerWith(200);
});

test('a missing host and an untrusted certificate are final', async () => {
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_request, response) =>
    response.end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const untrusted = await runOnce({ url: `https://127.0.0.1:${port}/` });
  assert.deepEqual([untrusted.status, untrusted.attempts], ['failed', 1]);
  assert.match(untrusted.error, /The TLS certificate is not valid/);
  server.close();
  // The top-level domain of RFC 2606 exists nowhere.
  const unknown = await runOnce({ url: 'http://nothing.invalid/' });
  assert.match(unknown.error, /could not be resolved/);
  const code = await lookup('nothing.invalid').catch((error) => error.code);
  assert.equal(unknown.status, code === 'ENOTFOUND' ? 'failed' : 'running');
  // A receiver without TLS may be restarting, and have TLS afterwards.
  const plain = await runOnce({ url: receiver.url.replace('http:', 'https:') });
  assert.equal(plain.status, 'running', plain.error);
});

test('form answers are addressed by their own names, and are encoded in URLs', async () => {
  answerWith(200);
  const key = await automation({
    url: `${receiver.url}/find?q={{urlencode trigger.body["Search for"]}}&page={{trigger.body['page.no']}}`,
    body: { name: '{{trigger.body["What\'s your name?"]}}', tags: '{{trigger.body["tags[]"]}}' },
  });
  const { webhook_url: address } = (await api.get(`${path}/${key}`)).body;
  const form = new URLSearchParams({
    ...{ "What's your name?": 'Ann & Bob', 'Search for': 'pens & ink/#1?', 'page.no': '2' },
  });
  for (const tag of ['a', 'b']) form.append('tags[]', tag);
  const { pathname, search } = new URL(address);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const anonymous = createClient(app.url);
  const { status, body } = await anonymous.send('POST', `${pathname}${search}`, {
    rawBody: String(form),
    headers,
  });
  assert.equal(status, 202);
  assert.equal((await tried(key, String(body.run_id))).status, 'succeeded');
  // Calls of earlier tests may be retried.
  const sent = receiver.received.find((request) => request.path.startsWith('/find'));
  assert.equal(sent?.path, '/find?q=pens%20%26%20ink%2F%231%3F&page=2');
  assert.deepEqual(sent?.body, { name: 'Ann & Bob', tags: ['a', 'b'] });
});
