import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { eventually } from '../../test/harness/poll.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { toAppError } from './error-reply.ts';
import { defineRoute } from './route.ts';

const MIB = 1024 * 1024;
const app = await startTestApp();
const tenant = await app.createTenant();

/** Results of the routes, for the tests. */
const seen = { uploads: 0, failures: [] as string[], hold: Promise.withResolvers<void>() };

const { url } = await serveRoutes(app.app.platform, [
  defineRoute({
    id: 'files.create',
    method: 'POST',
    path: '/api/files',
    summary: 'Takes a file',
    tag: 'Test',
    access: 'member',
    upload: { contentTypes: ['application/octet-stream', 'text/csv'], maxBytes: 64 * MIB },
    reply: Type.Object({ bytes: Type.Integer(), sha256: Type.String(), part: Type.String() }),
    prepare: async (_ctx, { body }) => {
      const hash = createHash('sha256');
      let bytes = 0;
      try {
        for await (const chunk of body.bytes) {
          bytes += chunk.length;
          hash.update(chunk);
        }
      } catch (error) {
        seen.failures.push(toAppError(error).definition.code);
        throw error;
      }
      return { bytes, sha256: hash.digest('hex') };
    },
    write: async (_ctx, { body }, file) => {
      seen.uploads += 1;
      return { ...file, part: body.contentType };
    },
  }),
  defineRoute({
    id: 'slow_files.create',
    method: 'POST',
    path: '/slow',
    summary: 'Takes a file when it is let',
    tag: 'Test',
    access: 'public',
    upload: { contentTypes: ['text/csv'], maxBytes: 64 * MIB },
    reply: Type.Object({ bytes: Type.Integer() }),
    handler: async (_ctx, { body }) => {
      await seen.hold.promise;
      let bytes = 0;
      for await (const chunk of body.bytes) bytes += chunk.length;
      return { bytes };
    },
  }),
]);

/** Sends chunks as fast as they are accepted, and returns status and body. */
async function send(
  path: string,
  chunks: Iterable<Buffer>,
  headers: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void = () => {},
): Promise<{ status: number; body: string }> {
  const request = http.request(url + path, {
    method: 'POST',
    headers: { ...tenant.api.headers, ...headers },
  });
  const answered = once(request, 'response');
  for (const chunk of chunks) {
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answered]);
    onSent(chunk.length);
  }
  request.end();
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, body: Buffer.concat(parts).toString() };
}

function* mebibytes(count: number, of: Buffer = Buffer.alloc(MIB, 'x')): Generator<Buffer> {
  for (let sent = 0; sent < count; sent += 1) yield of;
}

test('a body far over 10 MiB arrives completely', async () => {
  const piece = randomBytes(MIB);
  const expected = createHash('sha256');
  for (const chunk of mebibytes(48, piece)) expected.update(chunk);
  const { status, body } = await send('/api/files', mebibytes(48, piece), {
    'content-type': 'text/csv; header=present',
  });
  assert.equal(status, 200, body);
  assert.deepEqual(JSON.parse(body), {
    bytes: 48 * MIB,
    sha256: expected.digest('hex'),
    part: 'text/csv; header=present',
  });
});

test('an unread body waits at the client', async () => {
  let sent = 0;
  const answer = send('/slow', mebibytes(64), { 'content-type': 'text/csv' }, (bytes) => {
    sent += bytes;
  });
  await eventually('the client to be held back', async () => {
    const before = sent;
    await pause(200);
    return sent > 0 && sent === before;
  });
  assert.ok(sent < 32 * MIB, `${sent} bytes were taken`);
  seen.hold.resolve();
  const { status, body } = await answer;
  assert.deepEqual([status, body], [200, JSON.stringify({ bytes: 64 * MIB })]);
});

test('a body over the limit is answered 413, with or without a Content-Length', async () => {
  const lengths: Record<string, string>[] = [{ 'content-length': String(65 * MIB) }, {}];
  for (const length of lengths) {
    const headers = { 'content-type': 'text/csv', ...length };
    const { status, body } = await send('/api/files', mebibytes(65), headers);
    assert.equal(status, 413);
    assert.match(JSON.parse(body).message, /64 MiB/);
  }
});

test('a body of another type is answered 415, and one without a key 401', async () => {
  assert.equal((await send('/api/files', mebibytes(1), { 'content-type': 'application/json' })).status, 415);
  assert.equal((await send('/api/files', mebibytes(1), {})).status, 415);
  const wrong = { 'content-type': 'text/csv', 'x-api-key': 'none' };
  assert.equal((await send('/api/files', mebibytes(1), wrong)).status, 401);
});

test('a client that disconnects ends the reading, and nothing is written', async () => {
  const before = seen.uploads;
  const headers = { ...tenant.api.headers, 'content-type': 'text/csv', 'content-length': String(8 * MIB) };
  const request = http.request(`${url}/api/files`, { method: 'POST', headers });
  request.on('error', () => {});
  const failures = seen.failures.length;
  request.write(Buffer.alloc(MIB));
  await once(request, 'socket');
  await pause(50);
  request.destroy();
  await eventually('the reader to fail', async () => seen.failures.length > failures);
  assert.deepEqual([seen.failures.at(-1), seen.uploads], ['INVALID_REQUEST', before]);
});

test('a repeat with its key gets the first response', async () => {
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'one', 'content-length': String(MIB) };
  const before = seen.uploads;
  const first = await send('/api/files', mebibytes(1), headers);
  assert.deepEqual(await send('/api/files', mebibytes(1), headers), first);
  assert.equal(seen.uploads, before + 1);
  const longer = { ...headers, 'content-length': String(2 * MIB) };
  assert.equal((await send('/api/files', mebibytes(2), longer)).status, 409);
});
