import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as forward, type ServerResponse } from 'node:http';
import test, { after } from 'node:test';
import { blobOf, fetchAsset, filesBelow, upload } from '../../../test/harness/asset-files.ts';
import { startBucket } from '../../../test/harness/bucket.ts';
import { startOwnApp } from '../../../test/harness/test-app.ts';

const bucket = await startBucket();
const target = new URL(bucket.url);

/** Returns an error response to a call to the bucket; null lets the call through. */
type Failure = (response: ServerResponse) => void;
let failure: { readonly method: string; times: number; readonly fail: Failure } | null = null;
const calls: string[] = [];

/** Starts a proxy of the bucket that fails calls as the test requires. */
const front = createServer((call, response) => {
  calls.push(call.method ?? '');
  if (failure !== null && failure.method === call.method && failure.times > 0) {
    failure.times -= 1;
    call.resume();
    return failure.fail(response);
  }
  const { method, headers, url: path } = call;
  const onward = forward({ host: target.hostname, port: target.port, method, headers, path }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  call.pipe(onward);
});
front.listen(0, '127.0.0.1');
await once(front, 'listening');
after(() => {
  front.close();
  front.closeAllConnections();
});
const address = front.address();
const url = new URL(bucket.url);
url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
const app = await startOwnApp({ S3_URL: url.href });
const { api } = await app.createTenant();

const xml =
  (status: number, code: string): Failure =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Wait.</Message></Error>`);
  };

const FAILURES: readonly (readonly [what: string, fail: Failure])[] = [
  ['503 SlowDown', xml(503, 'SlowDown')],
  ['503 ServiceUnavailable', xml(503, 'ServiceUnavailable')],
  ['429 TooManyRequests', xml(429, 'TooManyRequests')],
  ['400 RequestTimeout', xml(400, 'RequestTimeout')],
  ['500 InternalError', xml(500, 'InternalError')],
  ['502 without a body', (response) => void response.writeHead(502).end()],
  ['503 of HTML', (response) => void response.writeHead(503).end('<html>busy</html>')],
  ['504', (response) => void response.writeHead(504).end()],
  ['a connection that breaks', (response) => void response.destroy()],
  ['503 Throttling', xml(503, 'Throttling')],
];

for (const [what, fail] of FAILURES)
  test(`a bucket that answers once with ${what} does not fail an upload or a download`, async () => {
    failure = { method: 'PUT', times: 1, fail };
    const text = `${what} `.repeat(30_000);
    const { body } = await upload(api, [['file', blobOf(text)]]);
    assert.equal(failure.times, 0);
    failure = { method: 'GET', times: 1, fail };
    assert.equal((await fetchAsset(api, body.url)).content.toString(), text);
    assert.equal(failure.times, 0);
    failure = { method: 'GET', times: 1, fail };
    const part = await fetchAsset(api, body.url, { headers: { range: 'bytes=0-2' } });
    assert.deepEqual([part.status, part.content.toString()], [206, what.slice(0, 3)]);
    failure = null;
  });

test('a bucket that stays busy causes a 503 with Retry-After, and nothing of the upload remains', async () => {
  const { body } = await upload(api, [['file', blobOf('kept')]]);
  for (const [what, fail] of FAILURES) {
    failure = { method: 'PUT', times: 1000, fail };
    calls.length = 0;
    const refused = await upload(api, [['file', blobOf('refused')]], 503);
    assert.equal(refused.body.code, 'STORAGE_UNAVAILABLE', what);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.equal(calls.filter((method) => method === 'PUT').length, 3, what);
    failure = { method: 'GET', times: 1000, fail };
    const file = await fetchAsset(api, body.url, { headers: { origin: 'https://other.example' } });
    assert.deepEqual([file.status, file.headers.get('retry-after')], [503, '5'], what);
    assert.equal(file.headers.get('access-control-allow-origin'), '*');
    failure = null;
  }
  const { total } = (await api.post('/api/assets/list', { page: 1, limit: 1 })).body;
  assert.equal(total, FAILURES.length + 1);
  assert.deepEqual(await filesBelow(`${app.env.DATA_DIR}/assets`), []);
});

test('a permanent error of the bucket is not retried', async () => {
  for (const [status, code] of [
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
    [400, 'InvalidRequest'],
    [403, 'SignatureDoesNotMatch'],
  ] as const) {
    failure = { method: 'PUT', times: 1000, fail: xml(status, code) };
    calls.length = 0;
    await upload(api, [['file', blobOf('x')]], 500);
    assert.equal(calls.filter((method) => method === 'PUT').length, 1, code);
    failure = null;
  }
});
