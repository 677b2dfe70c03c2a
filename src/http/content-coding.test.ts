import assert from 'node:assert/strict';
import test from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createAutomation, endedRuns } from '../../test/harness/automations.ts';
import { startReceiver } from '../../test/harness/receiver.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { createOutboundClient } from '../outbound/outbound-client.ts';
import { parseAnyBody } from './any-body.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const JSON_TYPE = { 'content-type': 'application/json' };

const send = (rawBody: Buffer, coding: string, more = {}) =>
  api.send('POST', '/api/lists', { rawBody, headers: { ...JSON_TYPE, 'content-encoding': coding, ...more } });
const body = Buffer.from(JSON.stringify({ name: 'Größe' }));

for (const [coding, bytes] of [
  ['gzip', gzipSync(body)],
  ['x-gzip', gzipSync(body)],
  ['GZip', gzipSync(body)],
  ['deflate', deflateSync(body)],
  ['deflate', deflateRawSync(body)],
  ['Deflate', deflateRawSync(body, { level: 0 })],
  ['br', brotliCompressSync(body)],
  ['identity', body],
  ['identity, gzip', gzipSync(body)],
  [' gzip , identity', gzipSync(body)],
] as const)
  test(`a body is decoded by its coding: ${coding}`, async () => {
    const { status, body: answer } = await send(bytes, coding);
    assert.equal(status, 200);
    assert.equal((await api.get(`/api/lists/${answer.id}`)).body.name, 'Größe');
  });

for (const [what, coding, bytes, status] of [
  ['an unknown coding', 'zstd2', body, 415],
  ['compress', 'compress', body, 415],
  ['two codings', 'gzip, gzip', gzipSync(gzipSync(body)), 415],
  ['a list of all', '*', body, 415],
  ['what is no gzip', 'gzip', body, 400],
  ['gzip that is cut off', 'gzip', gzipSync(body).subarray(0, -9), 400],
  ['what is no JSON within', 'gzip', gzipSync('{'), 400],
  ['a bomb', 'gzip', gzipSync(Buffer.alloc(200 * 1024 * 1024, ' ')), 413],
  ['another bomb', 'br', brotliCompressSync(Buffer.alloc(50 * 1024 * 1024, ' ')), 413],
  ['nothing', 'gzip', Buffer.alloc(0), 400],
] as const)
  test(`a body is rejected with ${status}: ${what}`, async () => {
    const answer = await send(bytes, coding);
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers.get('accept-encoding'), status === 415 ? 'gzip, deflate, br' : null);
  });

test('a request without a body has no coding that could be unknown', async () => {
  const headers = { 'content-encoding': 'zstd' };
  assert.equal((await api.send('GET', '/api/automations/none', { headers })).status, 404);
  assert.equal((await api.send('DELETE', '/api/lists/none', { headers })).status, 404);
  assert.equal((await app.anonymous.send('GET', '/healthz', { headers })).status, 200);
});

for (const [what, coding, bytes] of [
  ['zlib that is cut off', 'deflate', deflateSync(body).subarray(0, -5)],
  ['deflate that is cut off', 'deflate', deflateRawSync(body).subarray(0, -2)],
  ['brotli that is cut off', 'br', brotliCompressSync(body).subarray(0, -3)],
  ['text as brotli', 'br', body],
  ['text as deflate', 'deflate', body],
  ['gzip with more behind it', 'gzip', Buffer.concat([gzipSync(body), Buffer.from('more')])],
] as const)
  test(`a body is rejected: ${what}`, async () => {
    const { status, body: answer } = await send(bytes, coding);
    assert.deepEqual([status, answer.message], [400, `The body is not valid ${coding}.`]);
  });

test('an upload is decoded by its coding', async () => {
  const rawBody = gzipSync('email,first_name\nada@example.com,Ada\n');
  const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
  const path = '/api/subscribers/import?mode=insert';
  const { import_id } = (await api.post(path, undefined, 200, { rawBody, headers })).body;
  assert.equal((await api.get(`/api/subscribers/import/${import_id}`)).body.total, 1);
  await api.post(path, undefined, 415, { rawBody, headers: { ...headers, 'content-encoding': 'zip' } });
});

const latin = (text: string) => Buffer.from(text, 'latin1');
for (const [type, bytes, expected] of [
  ['application/x-www-form-urlencoded', latin('a=%C3%A9+x'), { a: 'é x' }],
  ['application/x-www-form-urlencoded; charset=iso-8859-1', latin('n=Gr%F6%DFe'), { n: 'Größe' }],
  ['application/x-www-form-urlencoded;charset="windows-1252"', latin('p=5+%80'), { p: '5 €' }],
  ['application/x-www-form-urlencoded; charset=ISO-8859-1', latin('n=Gr\xf6\xdfe'), { n: 'Größe' }],
  ['application/x-www-form-urlencoded; charset=shift_jis', latin('a=%83e%83X'), { a: 'テス' }],
  ['application/x-www-form-urlencoded; charset=koi8-r', latin('a=%cd&a=%cf'), { a: ['м', 'о'] }],
  [
    'application/x-www-form-urlencoded; charset=UTF-8',
    latin('a=1&b&=c&&d=%zz'),
    { a: '1', b: '', '': 'c', d: '%zz' },
  ],
  ['text/plain; charset=iso-8859-15', latin('5 \xa4'), '5 €'],
  ['text/plain; charset=utf-16le', Buffer.from('é', 'utf16le'), 'é'],
  ['text/xml; charset=gb2312', latin('\xd6\xd0'), '中'],
  ['text/plain', Buffer.from('é'), 'é'],
  ['text/plain; charset=""', Buffer.from('é'), 'é'],
  ['text/plain; charset=', Buffer.from('é'), 'é'],
  ["text/plain; charset='windows-1251'", latin('\xcc'), 'М'],
  ['text/plain; charset=windows-1251, text/plain', latin('\xcc'), 'М'],
  ['text/plain; charset=cp932', latin('\x83\x65'), 'テ'],
  ['text/plain; charset=CP936', latin('\xd6\xd0'), '中'],
  ['text/plain; charset=latin-1', latin('\xf6'), 'ö'],
  ['text/plain; charset=utf_8', Buffer.from('é'), 'é'],
  ['text/plain; charset=win1251', latin('\xcc'), 'М'],
  ['text/plain; charset=gb18030', latin('\x84\x31\xa4\x37'), '\ufffd'],
  ['text/plain; charset=utf-16', latin('\xfe\xff\0\xe9'), 'é'],
  ['text/plain; charset=utf-16', latin('\xff\xfe\xe9\0'), 'é'],
  ['text/plain; charset=utf-8', latin('\xff\xfe\xe9\0'), 'é'],
  ['text/plain; charset=latin1', Buffer.from('\ufeffé'), 'é'],
  ['text/plain', latin('\xfe\xff\0\xe9'), 'é'],
  [
    'application/xml',
    latin('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb3</a>'),
    '<?xml version="1.0" encoding="ISO-8859-2"?><a>ł</a>',
  ],
  ['text/xml; charset=utf-8', Buffer.from('<?xml encoding="latin1"?>é'), '<?xml encoding="latin1"?>é'],
  ['text/xml', Buffer.from("<?xml encoding='utf-16'?>é"), "<?xml encoding='utf-16'?>é"],
  ['text/html', latin('<html><meta charset=windows-1251>\xcc'), '<html><meta charset=windows-1251>М'],
  [
    'text/html',
    latin('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xcd'),
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">м',
  ],
  ['text/plain', Buffer.from('write <meta charset=koi8-r> é'), 'write <meta charset=koi8-r> é'],
  ['text/plain', Buffer.from('<meta charset=koi8-r> é'), '<meta charset=koi8-r> é'],
  ['text/markdown', Buffer.from('<p><meta charset=koi8-r> é'), '<p><meta charset=koi8-r> é'],
  ['image/svg+xml', Buffer.from('<svg><meta charset=koi8-r> é'), '<svg><meta charset=koi8-r> é'],
  ['application/xml', Buffer.from('<a><meta charset=koi8-r> é'), '<a><meta charset=koi8-r> é'],
  ['text/html', Buffer.from('<!-- <meta charset=koi8-r> --> é'), '<!-- <meta charset=koi8-r> --> é'],
  ['TEXT/HTML ; x=y', latin('<meta charset=koi8-r>\xcd'), '<meta charset=koi8-r>м'],
  ['application/xhtml+xml', latin('<meta charset="koi8-r"/>\xcd'), '<meta charset="koi8-r"/>м'],
  ['text/json', Buffer.from('{"a":[1]}'), { a: [1] }],
  ['application/problem+json; charset=utf-16', latin('\xfe\xff\0[\0]'), []],
  ['application/x-www-form-urlencoded; charset=cp932', latin('a=%83e'), { a: 'テ' }],
  ['application/x-www-form-urlencoded', latin('_charset_=cp1251&a=%cc'), { _charset_: 'cp1251', a: 'М' }],
] as const)
  test(`text is decoded by its charset: ${type} ${String(bytes)}`, () => {
    assert.deepEqual(parseAnyBody(bytes, type), expected);
  });

test('an unknown charset is 415, bytes invalid in it 400', async () => {
  await createAutomation(api, 'heard', { triggerType: 'webhook', triggerParams: {} });
  const { pathname, search } = new URL((await api.get('/api/automations/heard')).body.webhook_url);
  const call = async (type: string, rawBody: Buffer) =>
    (await app.anonymous.send('POST', pathname + search, { rawBody, headers: { 'content-type': type } }))
      .status;
  assert.equal(await call('text/plain; charset=klingon', latin('x')), 415);
  assert.equal(await call('application/x-www-form-urlencoded; charset=none', latin('x=1')), 415);
  assert.equal(await call('application/x-www-form-urlencoded', latin('x=%ff')), 400);
  assert.equal(await call('text/plain', latin('\xff')), 400);
  assert.equal(await call('text/plain; charset=latin1', latin('\xff')), 202);
  const [run] = await endedRuns(api, 'heard', 1);
  assert.equal(Object(run?.actions[0]?.result).message.body, 'ÿ');
});

test('a response is decoded by its coding and charset, and read up to its limit', async () => {
  const receiver = await startReceiver();
  const client = createOutboundClient({ allowPrivate: true, version: '1', timeoutMs: 5000 });
  const text = '{"a":"Größe"}';
  for (const [headers, bytes, expected] of [
    [{ 'content-encoding': 'gzip' }, gzipSync(text), text],
    [{ 'content-encoding': 'x-gzip' }, gzipSync(text), text],
    [{ 'content-encoding': 'deflate' }, deflateSync(text), text],
    [{ 'content-encoding': 'deflate' }, deflateRawSync(text), text],
    [{ 'content-encoding': 'br' }, brotliCompressSync(text), text],
    [{ 'content-encoding': 'gzip, br' }, brotliCompressSync(gzipSync(text)), text],
    [{ 'content-encoding': 'gzip' }, Buffer.from(text), text],
    [{ 'content-encoding': 'unknown' }, Buffer.from(text), text],
    [{ 'content-encoding': 'gzip' }, gzipSync('x'.repeat(1_000_000)), 'x'.repeat(65_536)],
    [{ 'content-encoding': 'gzip' }, Buffer.alloc(0), ''],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }, latin(text), text],
    [{ 'content-type': 'text/html; charset="windows-1251"' }, latin('\xcc'), 'М'],
    [{ 'content-type': 'text/plain; charset=nothing' }, Buffer.from('é'), 'é'],
    [
      { 'content-type': 'text/plain;charset=utf-16be', 'content-encoding': 'gzip' },
      gzipSync(Buffer.from('\0é', 'latin1')),
      'é',
    ],
    [{ 'content-encoding': 'gzip' }, gzipSync(text).subarray(0, -8), text],
    [{ 'content-encoding': 'deflate' }, deflateSync(text).subarray(0, -4), text],
    [{ 'content-encoding': 'deflate' }, Buffer.from(text), text],
    [{ 'content-encoding': 'br' }, Buffer.from(text), text],
    [{ 'content-type': 'text/plain; charset=utf-16' }, latin('\xfe\xff\0\xe9'), 'é'],
    [{ 'content-type': 'application/json' }, latin('\xff\xfe1\0'), '1'],
    [
      { 'content-type': 'text/html; charset=x' },
      latin('<meta charset=cp1251>\xcc'),
      '<meta charset=cp1251>М',
    ],
    [
      { 'content-type': 'application/xml' },
      Buffer.from('<?xml encoding="utf-16"?>é'),
      '<?xml encoding="utf-16"?>é',
    ],
  ] as const) {
    receiver.answer = (_request, response) => {
      response.writeHead(200, headers).end(bytes);
    };
    const result = await client.send({ url: receiver.url, method: 'GET', headers: {} });
    assert.equal(result.ok && result.body, expected, JSON.stringify(headers));
  }
  assert.equal(receiver.received[0]?.headers['accept-encoding'], 'gzip, deflate, br');
  await client.close();
});
