import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { createAutomation, endedRuns } from '../../test/harness/automations.ts';
import { startReceiver } from '../../test/harness/receiver.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { createOutboundClient } from '../outbound/outbound-client.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
await createAutomation(api, 'heard', { triggerType: 'webhook', triggerParams: {} });
const { pathname, search } = new URL((await api.get('/api/automations/heard')).body.webhook_url);

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const name = JSON.stringify({ name: 'Größe' });

for (const [type, bytes, expected] of [
  ['application/json; charset=iso-8859-1', latin(name), 'Größe'],
  ['application/json; charset=ISO-8859-1', Buffer.from(name), 'Größe'],
  ['application/json;charset="windows-1252"', latin(JSON.stringify({ name: '5 \x80' })), '5 €'],
  ['application/json; charset=windows-1251', latin(JSON.stringify({ name: '\xcc\xe8\xf0' })), 'Мир'],
  ['application/json; charset=koi8-r', latin(JSON.stringify({ name: '\xed\xc9\xd2' })), 'Мир'],
  ['application/json; charset=shift_jis', latin('{"name":"\x83e\x83X"}'), 'テス'],
  ['application/json; charset=euc-kr', latin('{"name":"\xc7\xd1"}'), '한'],
  ['application/json; charset=gbk', latin('{"name":"\xd6\xd0"}'), '中'],
  ['application/json; charset=utf-16le', utf16(name), 'Größe'],
  ['application/json; charset=utf-16', utf16(`\ufeff${name}`), 'Größe'],
  ['application/json; charset=utf-8', Buffer.from(`\ufeff${name}`), 'Größe'],
  ['application/json; charset=unknown-8bit', Buffer.from(name), 'Größe'],
] as const)
  test(`JSON is decoded by its declared charset: ${type} as ${expected} of ${bytes.length} bytes`, async () => {
    const headers = { 'content-type': type };
    const { body } = await api.post('/api/lists', undefined, 200, { rawBody: bytes, headers });
    assert.equal((await api.get(`/api/lists/${body.id}`)).body.name, expected);
    const zipped = { rawBody: gzipSync(bytes), headers: { ...headers, 'content-encoding': 'gzip' } };
    await api.put(`/api/lists/${body.id}`, undefined, 200, zipped);
  });

test('JSON that is neither UTF-8 nor in its declared charset is 400', async () => {
  for (const [type, bytes] of [
    ['application/json', latin(name)],
    ['application/json; charset=utf-8', latin(name)],
    ['application/json; charset=klingon', latin(name)],
    ['application/json; charset=euc-kr', latin('{"name":"\xff\xff"}')],
    ['application/json; charset=utf-16le', Buffer.from(name)],
    ['application/json; charset=utf-16be', utf16(name)],
  ] as const)
    await api.post('/api/lists', undefined, 400, { rawBody: bytes, headers: { 'content-type': type } });
});

test('a form is decoded by the charset in its field `_charset_`, unless its type declares one', async () => {
  const form = 'application/x-www-form-urlencoded';
  const cases: readonly (readonly [type: string, bytes: Buffer, value: string])[] = [
    [form, latin('_charset_=iso-8859-1&n=Gr%F6%DFe'), 'Größe'],
    [form, latin('n=Gr%F6%DFe&_charset_=ISO-8859-1'), 'Größe'],
    [form, latin('_charset_=windows-1252&n=5+%80'), '5 €'],
    [form, latin('_charset_=windows-1251&n=%CC%E8%F0'), 'Мир'],
    [form, latin('a=1&_charset_=koi8-r&n=%ED%C9%D2'), 'Мир'],
    [form, latin('_charset_=Shift_JIS&n=%83e%83X'), 'テス'],
    [form, latin('_charset_=EUC-KR&n=%C7%D1'), '한'],
    [form, latin('_charset_=gb18030&n=%D6%D0'), '中'],
    [form, latin('_charset_=big5&n=%A4%A4'), '中'],
    [form, latin('_charset_=UTF-8&n=Gr%C3%B6%C3%9Fe'), 'Größe'],
    [form, latin('_charset_=&n=%C3%A9'), 'é'],
    [form, latin('n=_charset_%3Dkoi8-r+%C3%A9'), '_charset_=koi8-r é'],
    [`${form}; charset=utf-8`, latin('_charset_=iso-8859-1&n=%C3%A9'), 'é'],
  ];
  for (const [type, rawBody] of cases) {
    const options = { rawBody, headers: { 'content-type': type } };
    await app.anonymous.post(pathname + search, undefined, 202, options);
  }
  const runs = await endedRuns(api, 'heard', cases.length);
  const values = runs.map((run) => Object(run.actions[0]?.result).message.body.n);
  assert.deepEqual(values.toSorted(), cases.map(([, , value]) => value).toSorted());
});

test('a response without a declared charset is decoded by its byte order mark or XML declaration', async () => {
  const receiver = await startReceiver();
  const client = createOutboundClient({ allowPrivate: true, version: '1', timeoutMs: 5000 });
  const xml = (charset: string, text: string) => `<?xml version="1.0" encoding="${charset}"?><a>${text}</a>`;
  const cases: readonly (readonly [type: string, bytes: Buffer, expected: string])[] = [
    ['text/plain', utf16('\ufeffGröße'), 'Größe'],
    ['text/csv', utf16('\ufeffGröße').swap16(), 'Größe'],
    ['application/json', utf16(`\ufeff${name}`), name],
    ['text/plain', Buffer.from('\ufeffGröße'), 'Größe'],
    ['text/plain', Buffer.from('Größe'), 'Größe'],
    ['text/xml', latin(xml('ISO-8859-1', 'Gr\xf6\xdfe')), xml('ISO-8859-1', 'Größe')],
    ['application/xml', latin(xml('windows-1251', '\xcc')), xml('windows-1251', 'М')],
    ['application/soap+xml', latin(xml('koi8-r', '\xed')), xml('koi8-r', 'М')],
    ['text/xml', latin(`\n${xml('EUC-KR', '\xc7\xd1')}`), `\n${xml('EUC-KR', '한')}`],
    ['text/xml', Buffer.from(xml('nothing', 'é')), xml('nothing', 'é')],
    ['text/xml; charset=utf-8', Buffer.from(xml('iso-8859-1', 'é')), xml('iso-8859-1', 'é')],
    ['text/xml; charset=iso-8859-1', latin(xml('utf-8', '\xe9')), xml('utf-8', 'é')],
  ];
  for (const [type, bytes, expected] of cases) {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(bytes);
    };
    const result = await client.send({ url: receiver.url, method: 'GET', headers: {} });
    assert.equal(result.ok && result.body, expected, type);
  }
  await client.close();
});
