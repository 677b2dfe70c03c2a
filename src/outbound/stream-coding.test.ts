import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { startReceiver } from '../../test/harness/receiver.ts';
import { createOutboundClient } from './outbound-client.ts';
import { BrokenStream } from './stream.ts';

const BOUND = 1_000_000;
const receiver = await startReceiver();
const client = createOutboundClient({ allowPrivate: true, version: '0', timeoutMs: 5000 });
after(() => client.close());

const open = () =>
  client.stream({
    ...{ url: receiver.url, method: 'POST', headers: {}, body: '{}', signal: new AbortController().signal },
    ...{ silenceMs: 5000, timeoutMs: 5000, maxResponseBytes: BOUND },
  });

async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await open()).body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const text = `data: {"text":"Größe"}\n\n`.repeat(100);

for (const [coding, bytes] of [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['gzip', Buffer.concat([gzipSync(text.slice(0, 50)), gzipSync(text.slice(50))])],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['identity', Buffer.from(text)],
  ['identity, gzip', gzipSync(text)],
  ['deflate, br', brotliCompressSync(deflateSync(text))],
  ['gzip, deflate', deflateSync(gzipSync(text))],
  ['unknown', Buffer.from(text)],
  ['', Buffer.from(text)],
] as const)
  test(`a streamed response is decoded: ${coding} of ${bytes.length} bytes`, async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, coding === '' ? {} : { 'content-encoding': coding }).end(bytes);
    };
    assert.equal(await readAll(), text);
  });

for (const [what, coding, bytes, words] of [
  ['a bomb', 'gzip', gzipSync(Buffer.alloc(50 * BOUND)), /./],
  ['a bomb of brotli', 'br', brotliCompressSync(Buffer.alloc(50 * BOUND)), /./],
  ['what is not gzip', 'gzip', Buffer.from(text), /Content-Encoding/],
  ['what is not deflate', 'deflate', Buffer.from('xyz'), /Content-Encoding/],
  ['gzip that is cut off', 'gzip', gzipSync(text).subarray(0, -12), /Content-Encoding/],
  ['what is not brotli', 'br', Buffer.from(text), /./],
] as const)
  test(`a response is aborted: ${what}`, async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bytes);
    };
    await assert.rejects(readAll, (error) => error instanceof BrokenStream && words.test(error.message));
  });

test('events of a compressed stream are read as they arrive', async () => {
  const goOn = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' });
    const zipped = createGzip({ flush: constants.Z_SYNC_FLUSH });
    zipped.pipe(response);
    zipped.write('first');
    await goOn.promise;
    zipped.end('second');
  };
  const seen: string[] = [];
  for await (const chunk of (await open()).body) {
    seen.push(String(chunk));
    goOn.resolve();
  }
  assert.deepEqual(seen, ['first', 'second']);
});
