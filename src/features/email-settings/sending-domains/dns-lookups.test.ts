import assert from 'node:assert/strict';
import test from 'node:test';
import { startDnsServer } from '../../../../test/harness/dns-server.ts';
import { withDnsLookups } from './dns-lookups.ts';

const dns = await startDnsServer();
const live = [{ host: '127.0.0.1', port: dns.port }];

test('records are found, and a name without records differs from a missing one only in the DNS', async () => {
  dns.records = [
    { type: 'TXT', name: 'a.example', value: 'x'.repeat(700) },
    { type: 'MX', name: 'a.example', value: '10 mx.example' },
  ];
  const found = await withDnsLookups(live, async (askDns) => [
    await askDns('TXT', 'a.example'),
    await askDns('MX', 'A.example'),
    await askDns('CNAME', 'a.example'),
    await askDns('TXT', 'b.example'),
  ]);
  assert.deepEqual(found, [['x'.repeat(700)], ['mx.example'], [], []]);
});

test('a resolver that does not respond results in unknown within the deadline', async () => {
  dns.override = () => null;
  for (const servers of [live, [{ host: '127.0.0.1', port: 1 }], [{ host: '::1', port: 1 }]]) {
    const answers = await withDnsLookups(
      servers,
      (askDns) =>
        Promise.all([askDns('TXT', 'a.example'), askDns('CNAME', 'a.example'), askDns('MX', 'a.example')]),
      100,
    );
    assert.deepEqual(answers, [null, null, null]);
  }
  dns.override = null;
});

test('an invalid query results in unknown', async () => {
  const answers = await withDnsLookups(live, (askDns) =>
    Promise.all(['a..b', 'a'.repeat(70), `${'a.'.repeat(150)}b`].map((name) => askDns('TXT', name))),
  );
  for (const answer of answers) assert.equal(answer, null);
});

test('the next resolver is queried if the first one is unavailable', async () => {
  dns.records = [{ type: 'TXT', name: 'a.example', value: 'here' }];
  const servers = [{ host: '127.0.0.1', port: 1 }, ...live];
  const answer = await withDnsLookups(servers, (askDns) => askDns('TXT', 'a.example'));
  assert.deepEqual(answer, ['here']);
});
