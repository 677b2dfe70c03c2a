import assert from 'node:assert/strict';
import { request } from 'node:http';
import test, { suite } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { blobOf, fetchAsset, image, upload, uploadBytes } from '../../../test/harness/asset-files.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();

async function urlFor(bytes: string | Uint8Array, fileName = 'file'): Promise<string> {
  return (await upload(api, [['file', blobOf(bytes), fileName]])).body.url;
}

/** Sends a request with an unnormalized path. */
function statusOf(path: string): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

suite('a public address', () => {
  const text = 'abcdefghij'.repeat(20_000);

  test('is cached permanently and revalidated with a short response', async () => {
    const url = await urlFor('text', 'a.txt');
    const first = await fetchAsset(api, url);
    assert.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(first.headers.get('content-type'), 'text/plain; charset=utf-8');
    const etag = first.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await fetchAsset(api, url, { headers: { 'if-none-match': known } });
      assert.deepEqual(
        [again.status, again.content.length, again.headers.get('etag')],
        [304, 0, etag],
        known,
      );
      // A cache would read it as the length of the file.
      assert.equal(again.headers.get('content-length'), null);
    }
    assert.equal((await fetchAsset(api, url, { headers: { 'if-none-match': '"other"' } })).status, 200);
  });

  test('returns the requested ranges', async () => {
    const url = await urlFor(text, 'long.txt');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const { status, headers, content } = await fetchAsset(api, url, { headers: { range, ...more } });
      return { status, range: headers.get('content-range'), content };
    };
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=100000-', 100_000, 200_000],
      ['bytes=-5', 199_995, 200_000],
      ['bytes=199990-900000', 199_990, 200_000],
      ['bytes=0-199999', 0, 200_000],
      ['BYTES=1-2', 1, 3],
    ] as const) {
      const found = await part(range);
      assert.deepEqual([found.status, found.range], [206, `bytes ${start}-${end - 1}/200000`], range);
      assert.equal(found.content.toString(), text.slice(start, end), range);
    }
    for (const range of ['bytes=200000-', 'bytes=-0']) {
      const found = await part(range);
      assert.deepEqual([found.status, found.range], [416, 'bytes */200000'], range);
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=', 'bytes=a-b'])
      assert.equal((await part(range)).status, 200, range);
    const etag = (await fetchAsset(api, url)).headers.get('etag') ?? '';
    assert.equal((await part('bytes=0-9', { 'if-range': etag })).status, 206);
    assert.equal((await part('bytes=0-9', { 'if-range': '"other"' })).status, 200);
  });

  test('returns the same headers for HEAD as for GET, also for ranges and images', async () => {
    const url = await urlFor(await image(60, 40).jpeg().toBuffer(), 'a.jpg');
    for (const [query, headers] of [
      ['', {}],
      ['', { range: 'bytes=5-9' }],
      ['?w=30', {}],
    ] as const) {
      const head = await fetchAsset(api, url + query, { method: 'HEAD', headers });
      const get = await fetchAsset(api, url + query, { headers });
      assert.equal(head.content.length, 0);
      for (const name of ['content-length', 'content-type', 'etag', 'content-range', 'cache-control'])
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      assert.deepEqual(
        [head.status, Number(get.headers.get('content-length'))],
        [get.status, get.content.length],
      );
    }
  });

  test('ignores the file name and knows no other ids', async () => {
    const id = await uploadBytes(api, 'text');
    for (const name of ['x', 'a%2Fb', '%E2%82%AC', 'a%0d%0ab', '%2e%2e'])
      assert.equal(await statusOf(`/assets/${id}/${name}`), 200, name);
    for (const path of [
      `/assets/${id}`,
      `/assets/${id}/a/b`,
      `/assets/${id.toUpperCase()}/x`,
      '/assets/..%2F..%2Fdb/x',
    ])
      assert.equal(await statusOf(path), 404, path);
    assert.equal(await statusOf(`/assets/${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}/x`), 404);
  });

  test('of an empty file returns an empty file', async () => {
    const url = await urlFor('', 'empty');
    const found = await fetchAsset(api, url);
    assert.deepEqual([found.status, found.content.length], [200, 0]);
    assert.equal((await fetchAsset(api, url, { headers: { range: 'bytes=0-' } })).status, 416);
  });
});

suite('files that a browser could run', () => {
  const pdf = '%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript /JS (app.alert(1))>> >>\n';
  for (const [what, bytes, type] of [
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>', 'text/html; charset=utf-8'],
    ['HTML behind spaces', ' \n\t<ScRiPt>alert(1)</script>', 'text/html; charset=utf-8'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
    [
      'SVG behind a prologue',
      '\ufeff<?xml version="1.0"?><!-- <html> --><!DOCTYPE svg [<!ENTITY a "b>">]>\n<svg/>',
      'image/svg+xml',
    ],
    [
      'XML',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
      'application/xml',
    ],
    ['PDF', pdf, 'application/pdf'],
    ['a polyglot of PDF and HTML', `${pdf}<script>alert(1)</script>`, 'application/pdf'],
    [
      'bytes of no known type',
      Buffer.from([0, 1, 2, 60, 115, 99, 114, 105, 112, 116, 62]),
      'application/octet-stream',
    ],
    ['WebAssembly', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), 'application/wasm'],
  ] as const) {
    test(`${what} is downloaded without our origin`, async () => {
      const { headers } = await fetchAsset(api, await urlFor(bytes, 'page.html'));
      assert.equal(headers.get('content-type'), type);
      assert.match(headers.get('content-disposition') ?? '', /^attachment; /);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox$/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    });
  }

  test('scripts are served as text, which no browser runs', async () => {
    const { headers } = await fetchAsset(api, await urlFor('alert(document.domain)', 'a.js'));
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  });

  test('an image that is also an HTML page is served as an image', async () => {
    const gif = Buffer.concat([await image(2, 2).gif().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    const { headers } = await fetchAsset(api, await urlFor(gif, 'a.html'));
    assert.equal(headers.get('content-type'), 'image/gif');
  });
});

suite('names', () => {
  for (const [name, last, disposition] of [
    ['../../etc/passwd', 'passwd', `filename="passwd"; filename*=UTF-8''passwd`],
    ['C:\\files\\a b.txt', 'a%20b.txt', `filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
    [
      'größe; x=1.txt',
      'gr%C3%B6%C3%9Fe%3B%20x%3D1.txt',
      `filename="gr__e_ x_1.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%3B%20x%3D1.txt`,
    ],
    ['..', 'file', `filename="file"; filename*=UTF-8''file`],
    ['日本.png', '%E6%97%A5%E6%9C%AC.png', `filename="__.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.png`],
  ] as const) {
    test(`${JSON.stringify(name)} of a file becomes harmless in URLs and headers`, async () => {
      const url = await urlFor('text', name);
      assert.ok(url.endsWith(`/${last}`), url);
      assert.equal((await fetchAsset(api, url)).headers.get('content-disposition'), `inline; ${disposition}`);
    });
  }

  test('are stored as given, with slashes too; control characters are rejected', async () => {
    const { body } = await upload(api, [
      ['file', blobOf('a')],
      ['name', 'a/b\\c'],
    ]);
    assert.ok(body.url.endsWith('/a-b-c'));
    assert.equal((await api.get(`/api/assets/${body.id}`)).body.name, 'a/b\\c');
    await upload(
      api,
      [
        ['file', blobOf('a')],
        ['name', 'a\r\nb'],
      ],
      400,
    );
  });
});

suite('broken images', () => {
  const refused = async (bytes: Uint8Array) => {
    const { body } = await upload(api, [['file', blobOf(bytes)]], 400);
    assert.deepEqual([body.code, body.issues[0].field], ['INVALID_REQUEST', 'file']);
    return body.issues[0].message;
  };

  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const) {
    test(`${format} that is truncated is rejected`, async () => {
      const whole = await image(400, 400).toFormat(format).toBuffer();
      await uploadBytes(api, whole);
      await refused(whole.subarray(0, Math.floor(whole.length * 0.6)));
      await refused(whole.subarray(0, 40));
    });
  }

  test('an image with a header of more than 100 megapixels is rejected', async () => {
    const large = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'red' } })
        .png({ compressionLevel: 9 })
        .toBuffer();
    assert.match(await refused(await large(10_001, 10_000)), /100 megapixels/);
    const claims = Buffer.from(await image(2, 2).png().toBuffer());
    claims.writeUInt32BE(60_000, 16);
    claims.writeUInt32BE(60_000, 20);
    await refused(claims);
  });

  test('an archive that pretends to be an office document is treated like any other file', async () => {
    const bomb = deflateRawSync(Buffer.alloc(10 * 1024 * 1024));
    const name = Buffer.from('[Content_Types].xml');
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(bomb.length, 18);
    header.writeUInt32LE(10 * 1024 * 1024, 22);
    header.writeUInt16LE(name.length, 26);
    const { headers } = await fetchAsset(api, await urlFor(Buffer.concat([header, name, bomb])));
    assert.match(headers.get('content-disposition') ?? '', /^attachment/);
  });
});
