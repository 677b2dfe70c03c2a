import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { blobOf, fetchAsset, upload } from '../../../test/harness/asset-files.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { typeOfFile } from './file-types.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const { url } = (await upload(api, [['file', blobOf('0123456789'), 'a.txt']])).body;
const origin = 'https://player.example';

for (const [method, asked] of [
  ['GET', 'range'],
  ['GET', 'Range'],
  ['GET', 'if-range, range'],
  ['GET', 'if-none-match'],
  ['GET', 'if-modified-since'],
  ['GET', 'if-match'],
  ['GET', 'cache-control, pragma'],
  ['GET', 'content-type'],
  ['HEAD', 'range'],
  ['HEAD', 'cache-control'],
] as const)
  test(`a page of another site may request a file by ${method} with ${asked}`, async () => {
    const { status, headers } = await fetchAsset(api, url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': asked,
      },
    });
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*']);
    assert.ok(headers.get('access-control-allow-methods')?.includes('GET'));
    const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
    for (const name of asked.toLowerCase().split(', ')) assert.ok(allowed.includes(name), name);
    assert.ok(Number(headers.get('access-control-max-age')) > 0);
  });

test('such a page can read a range, its position, and the reason of an error', async () => {
  const readable = ['accept-ranges', 'content-length', 'content-range', 'content-disposition', 'etag'];
  for (const [headers, status] of [
    [{ origin }, 200],
    [{}, 200],
    [{ origin, range: 'bytes=2-4' }, 206],
    [{ origin, range: 'bytes=-3' }, 206],
    [{ origin, range: 'bytes=50-' }, 416],
    [{ origin: 'null', range: 'bytes=0-0' }, 206],
  ] as const) {
    const answer = await fetchAsset(api, url, { headers });
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? [];
    for (const name of readable) assert.ok(exposed.includes(name), name);
    // A cache stores one response for all pages.
    assert.equal(answer.headers.get('vary'), null);
  }
  const missing = await fetchAsset(api, url.replace(/.{4}\/a\.txt$/, '0000/a.txt'), { headers: { origin } });
  assert.deepEqual([missing.status, missing.headers.get('access-control-allow-origin')], [404, '*']);
});

test('a text that ends within a character is not recognised as text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-cut-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  for (const character of ['é', 'ß', '€', '中', 'ก', '한', '😀', '𝒳', 'е', '\u{10ffff}']) {
    const bytes = Buffer.from(character);
    for (const size of Array.from({ length: bytes.length - 1 }, (_, place) => place + 1)) {
      await writeFile(path, Buffer.concat([Buffer.from('text '), bytes.subarray(0, size)]));
      assert.equal(await typeOfFile(path), 'application/octet-stream', `${character} ${size}`);
    }
    await writeFile(path, `text ${character}`);
    assert.equal(await typeOfFile(path), 'text/plain');
  }
});

test('a text is recognised even if the examined block ends within a character', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-types-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  const block = 64 * 1024;
  for (const character of ['é', 'ß', '€', '中', 'ก', '한', '😀', '𝒳', '🇩', '\u{10ffff}', 'e\u0301'])
    for (let before = 1; before <= 4; before += 1) {
      await writeFile(path, `${'x'.repeat(block - before)}${character.repeat(50)} end`);
      assert.equal(await typeOfFile(path), 'text/plain', `${character} ${before} bytes before the end`);
    }
  await writeFile(path, Buffer.concat([Buffer.alloc(block - 1, 'x'), Buffer.from([0xc3, 0x28])]));
  assert.equal(await typeOfFile(path), 'text/plain');
  await writeFile(path, Buffer.concat([Buffer.alloc(block - 2, 'x'), Buffer.from([0xc3, 0x28])]));
  assert.equal(await typeOfFile(path), 'application/octet-stream');
});
