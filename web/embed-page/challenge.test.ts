import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import test from 'node:test';
import fc from 'fast-check';
import { beginsWithZeros } from '../../test/harness/challenge.ts';
import { proveWork, solveChallenge } from './challenge.ts';
import { digestStart } from './sha256.ts';

test('the digest starts like that of another SHA-256 implementation', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 55 });
  fc.assert(
    fc.property(ascii, (text) => {
      assert.equal(digestStart(text), hash('sha256', text, 'buffer').readUInt32BE(0));
    }),
  );
  for (const length of [0, 1, 54, 55]) {
    const text = 'x'.repeat(length);
    assert.equal(digestStart(text), hash('sha256', text, 'buffer').readUInt32BE(0));
  }
  assert.throws(() => digestStart('x'.repeat(56)), RangeError);
});

test('a challenge is solved by a number that the service accepts', async () => {
  for (const bits of [0, 1, 8, 13]) {
    const proof = await solveChallenge({ token: 'a.b', seed: '0123456789abcdef0123456789abcdef', bits });
    assert.ok(proof.startsWith('a.b.'));
    assert.ok(beginsWithZeros(`0123456789abcdef0123456789abcdef.${proof.slice(4)}`, bits));
  }
});

test('the page stays responsive while a challenge is solved', async () => {
  let beats = 0;
  const heart = setInterval(() => {
    beats += 1;
  }, 1);
  await solveChallenge({ token: 'a.b', seed: 'f'.repeat(32), bits: 18 });
  clearInterval(heart);
  assert.ok(beats > 1, `${beats} beats`);
});

test('a response that is not a challenge is an error, and an error response is returned', async () => {
  for (const [status, answer] of [
    [200, '{}'],
    [200, 'null'],
    [200, '<html>'],
    [404, '{"token":"t","seed":"s","bits":1}'],
  ] as const) {
    const server = createServer((_request, response) => response.writeHead(status).end(answer));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proof = proveWork(`http://127.0.0.1:${port}/`);
    if (status === 200) await assert.rejects(proof);
    else assert.ok((await proof) instanceof Response);
    server.closeAllConnections();
    server.close();
  }
});
