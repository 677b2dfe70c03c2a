import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import test, { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/harness/poll.ts';
import { createOutboundClient, type OutboundStreamRequest } from './outbound-client.ts';
import { BrokenStream } from './stream.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const seen = { sent: 0, closed: 0 };

async function flood(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    seen.sent += 1;
    if (!response.write(CHUNK)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}

const server = createServer((request, response) => {
  response.once('close', () => {
    seen.closed += 1;
  });
  if (request.url === '/flood') return void flood(response);
  if (request.url === '/never') return;
  response.writeHead(request.url === '/refused' ? 418 : 200, { 'content-type': 'text/plain' });
  response.write('begun');
  if (request.url === '/cut') return void response.socket?.end();
  if (request.url !== '/silent') response.end(' and ended');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
const strict = createOutboundClient({ allowPrivate: false, version: '0', timeoutMs: 1000 });
after(async () => {
  await strict.close();
  server.close();
  server.closeAllConnections();
});

const open = (path: string, more: Partial<OutboundStreamRequest> = {}) =>
  strict.stream({
    url: url + path,
    isTrusted: true,
    method: 'POST',
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
    silenceMs: 300,
    timeoutMs: 5000,
    maxResponseBytes: 1_000_000,
    ...more,
  });
const readAll = async (body: AsyncIterable<Buffer>) => {
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
};
const isBroken = (reason: string, words: RegExp) => (error: unknown) =>
  error instanceof BrokenStream && error.failure.reason === reason && words.test(error.message);

test('a response of any status can be streamed', async () => {
  const answer = await open('/');
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/plain']);
  assert.equal(await readAll(answer.body), 'begun and ended');
  assert.equal((await open('/refused')).status, 418);
});

test('address rules apply to hosts that the operator has not configured; metadata addresses are never reached', async () => {
  const { isTrusted: _left, ...foreign } = { isTrusted: true };
  const request = { url, method: 'GET', headers: {}, silenceMs: 300, timeoutMs: 500, maxResponseBytes: 10 };
  const signal = new AbortController().signal;
  await assert.rejects(strict.stream({ ...request, ...foreign, signal }), isBroken('blocked', /policy/));
  await assert.rejects(open('', { url: 'http://169.254.169.254/' }), isBroken('blocked', /policy/));
});

test('a silence, a disconnect or too long a response end it with a reason', async () => {
  await assert.rejects(open('/never'), isBroken('timeout', /0\.3 seconds/));
  await assert.rejects(readAll((await open('/silent')).body), isBroken('timeout', /0\.3 seconds/));
  await assert.rejects(readAll((await open('/cut')).body), isBroken('connection', /closed/));
  await assert.rejects(readAll((await open('/flood')).body), isBroken('connection', /./));
  await assert.rejects(
    open('/never', { silenceMs: 5000, timeoutMs: 200 }),
    isBroken('timeout', /0\.2 seconds/),
  );
});

test('a slow reader slows the sender down, and a departing reader disconnects it', async () => {
  const reader = new AbortController();
  seen.sent = 0;
  const options = { signal: reader.signal, silenceMs: 60_000, timeoutMs: 60_000, maxResponseBytes: 1e12 };
  const { body } = await open('/flood', options);
  await body[Symbol.asyncIterator]().next();
  await eventually('the sender to be held back', async () => {
    const before = seen.sent;
    await pause(200);
    return seen.sent === before;
  });
  assert.ok(seen.sent < 500, `${seen.sent} chunks of 64 KiB were sent`);
  const before = seen.closed;
  reader.abort();
  await eventually('the call to end', async () => seen.closed > before);
});
