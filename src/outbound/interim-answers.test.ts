import assert from 'node:assert/strict';
import net from 'node:net';
import test, { after } from 'node:test';
import { createOutboundClient } from './outbound-client.ts';

const client = createOutboundClient({ allowPrivate: true, version: '1', timeoutMs: 5000 });
after(() => client.close());

/** Starts a receiver that answers each request of a connection with these pieces, each in its own packet. */
async function answering(pieces: readonly string[]): Promise<string> {
  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

for (const [what, pieces, status, body] of [
  ['100 before the answer', [CONTINUE, OK], 200, 'ok'],
  ['100 and the answer in one packet', [CONTINUE + OK], 200, 'ok'],
  ['100 in many packets', [...CONTINUE, OK], 200, 'ok'],
  ['100 twice', [CONTINUE + CONTINUE, OK], 200, 'ok'],
  ['100 with headers', ['HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n', OK], 200, 'ok'],
  ['100 of HTTP/1.0, without words', ['HTTP/1.0 100\r\n\r\n', OK], 200, 'ok'],
  ['103 before the answer', [HINTS, OK], 200, 'ok'],
  ['100, then 103 twice', [CONTINUE, HINTS, HINTS + OK], 200, 'ok'],
  ['102 before the answer', ['HTTP/1.1 102 Processing\r\n\r\n', OK], 200, 'ok'],
  ['100 before a refusal', [CONTINUE, 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'], 410, ''],
  [
    'what looks like 100 within the answer',
    ['HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n', CONTINUE],
    200,
    CONTINUE,
  ],
] as const)
  test(`a receiver has accepted a delivery that it answers with ${what}`, async () => {
    const url = await answering(pieces);
    for (let call = 0; call < 3; call += 1) {
      const result = await client.send({ url, method: 'POST', headers: {}, body: '{}' });
      assert.deepEqual(result.ok && [result.status, result.body], [status, body]);
    }
  });

test('a receiver that closes after 100 has not accepted it', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end(CONTINUE));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const result = await client.send({
    url: `http://127.0.0.1:${port}/`,
    method: 'POST',
    headers: {},
    body: '{}',
  });
  assert.equal(result.ok, false);
});
