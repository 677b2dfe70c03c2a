import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { startReceiver } from '../../test/harness/receiver.ts';
import { createOutboundClient } from '../outbound/outbound-client.ts';
import { SecretBoxError } from '../secrets/secret-box.ts';
import { type HttpCall, makeHttpCall } from './http-call.ts';

const receiver = await startReceiver();
const outbound = createOutboundClient({ allowPrivate: true, version: 'test', timeoutMs: 5000 });
after(() => outbound.close());

/** In these tests an encrypted value is the secret in brackets. */
const openSecret = (sealed: string) => sealed.slice(1, -1);

function call(more: Partial<HttpCall>, timeoutMs = 5000, client = outbound) {
  const params = { method: 'POST', url: receiver.url, ...more } as const;
  return makeHttpCall(client, params, { idempotencyKey: 'key-1', timeoutMs, openSecret });
}

/** Returns the last request of the receiver. */
const last = () => receiver.received.at(-1);

test('a text body is sent unchanged, other values as JSON', async () => {
  await call({ body: 'plain' });
  assert.deepEqual([last()?.text, last()?.headers['content-type']], ['plain', 'text/plain; charset=utf-8']);
  await call({ body: { a: [1, null] } });
  assert.deepEqual([last()?.text, last()?.headers['content-type']], ['{"a":[1,null]}', 'application/json']);
  await call({ body: null });
  assert.equal(last()?.text, 'null');
  await call({ method: 'GET' });
  assert.deepEqual([last()?.method, last()?.text, last()?.headers['content-type']], ['GET', '', undefined]);
});

test('headers are sent as text, and replace the default headers', async () => {
  await call({ body: 'x', headers: { 'content-type': 'text/csv', 'X-A': 5, 'X-B': true, 'X-C': null } });
  const { headers } = last() ?? {};
  assert.deepEqual(
    [
      headers?.['content-type'],
      headers?.['x-a'],
      headers?.['x-b'],
      headers?.['x-c'],
      headers?.['idempotency-key'],
    ],
    ['text/csv', '5', 'true', undefined, 'key-1'],
  );
});

test('headers that the platform controls are not allowed', async () => {
  const before = receiver.received.length;
  const refused = [
    ['Host', 'inner'],
    ['Webhook-Signature', 'v1,x'],
    ['X-A', 'a\nb'],
    ['a b', 'c'],
  ] as const;
  for (const header of refused) {
    const result = await call({ headers: Object.fromEntries([header]) });
    assert.deepEqual([result.ok, result.ok ? '' : result.error.startsWith('headers.')], [false, true]);
  }
  assert.equal(receiver.received.length, before);
});

test('a response of 2xx succeeds with its JSON or text; others fail and are returned', async () => {
  receiver.answer = (_request, response) =>
    void response.writeHead(201, { 'content-type': 'application/json', 'x-id': '7' }).end('{"id":7}');
  const made = await call({});
  assert.ok(made.ok);
  assert.deepEqual(
    [made.answer.status, made.answer.body, made.answer.headers['x-id']],
    [201, { id: 7 }, '7'],
  );
  for (const [status, body] of [
    [404, 'nothing here'],
    [302, ''],
    [500, '{'],
  ] as const) {
    receiver.answer = (_request, response) => void response.writeHead(status, { location: '/x' }).end(body);
    const before = receiver.received.length;
    const failed = await call({});
    assert.ok(!failed.ok);
    assert.deepEqual([failed.answer?.status, failed.answer?.body], [status, body]);
    assert.equal(failed.error, `The receiver answered with status ${status}.`);
    assert.equal(receiver.received.length, before + 1);
  }
});

test('a timeout, a refused address and an invalid URL are results', async () => {
  receiver.answer = () => {};
  const late = await call({}, 100);
  assert.ok(!late.ok);
  assert.equal(late.answer, null);
  const guarded = createOutboundClient({ allowPrivate: false, version: 'test', timeoutMs: 1000 });
  const refused = await call({}, 1000, guarded);
  await guarded.close();
  assert.ok(!refused.ok);
  for (const url of ['file:///etc/passwd', 'nothing', 'http://']) {
    const wrong = await call({ url });
    assert.ok(!wrong.ok && wrong.answer === null, url);
  }
});

test('a secret header is decrypted for the call, and removed from the response', async () => {
  receiver.answer = ({ headers: { authorization = '' } }, response) => {
    response.setHeader('X-Echo', `<${authorization}>`);
    response.end(JSON.stringify({ got: authorization, [authorization]: 1 }));
  };
  const headers = {
    Authorization: { is_secret: true, value: '[se"cr\\et]' },
    'X-A': { is_secret: false, value: 'b' },
  };
  const result = await call({ headers });
  assert.deepEqual([last()?.headers.authorization, last()?.headers['x-a']], ['se"cr\\et', 'b']);
  assert.ok(result.ok);
  assert.deepEqual(result.answer.body, { got: '[secret]', '[secret]': 1 });
  assert.equal(result.answer.headers['x-echo'], '<[secret]>');
});

test('a secret that cannot be decrypted fails the call, which is not made', async () => {
  const before = receiver.received.length;
  const result = await makeHttpCall(
    outbound,
    { method: 'GET', url: receiver.url, headers: { 'X-Token': { is_secret: true, value: 's1.other' } } },
    {
      idempotencyKey: 'key-1',
      timeoutMs: 5000,
      openSecret: () => {
        throw new SecretBoxError('sealed by another key');
      },
    },
  );
  assert.match(result.ok ? '' : result.error, /SECRET_KEY has changed/);
  assert.equal(receiver.received.length, before);
});
