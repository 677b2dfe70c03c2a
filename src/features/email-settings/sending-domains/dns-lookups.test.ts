import assert from 'node:assert/strict';
import test from 'node:test';
import { startDnsServer } from '../../../../test/harness/dns-server.ts';
import { withDnsLookups } from './dns-lookups.ts';

const dns = await startDnsServer();
const live = [{ host: '127.0.0.1', port: dns.port }];

test('records are found, and a name without any differs from one that does not exist only to the DNS', async () => {
  dns.records = [
    { type: 'TXT', name: 'a.example', value: 'x'.repeat(700) },
    { type: 'MX', name: 'a.example', value: '10 mx.example' },
  ];
  const found = await withDnsLookups(live, async (lookups) => [
    await lookups.txt('a.example'),
    await lookups.mx('A.example'),
    await lookups.cname('a.example'),
    await lookups.txt('b.example'),
  ]);
  assert.deepEqual(found, [
    { kind: 'found', records: ['x'.repeat(700)] },
    { kind: 'found', records: ['mx.example'] },
    { kind: 'absent' },
    { kind: 'absent' },
  ]);
});

test('a resolver that never answers, or is not there, ends every question as unknown within the deadline', async () => {
  dns.override = () => null;
  for (const servers of [live, [{ host: '127.0.0.1', port: 1 }], [{ host: '::1', port: 1 }]]) {
    const answers = await withDnsLookups(
      servers,
      (lookups) =>
        Promise.all([lookups.txt('a.example'), lookups.cname('a.example'), lookups.mx('a.example')]),
      100,
    );
    assert.deepEqual(answers, [{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }]);
  }
  dns.override = null;
});

test('a question that cannot be asked is unknown', async () => {
  const answers = await withDnsLookups(live, (lookups) =>
    Promise.all(['a..b', 'a'.repeat(70), `${'a.'.repeat(150)}b`].map((name) => lookups.txt(name))),
  );
  for (const { kind } of answers) assert.equal(kind, 'unknown');
});

test('the next resolver is asked when the first one is not there', async () => {
  dns.records = [{ type: 'TXT', name: 'a.example', value: 'here' }];
  const servers = [{ host: '127.0.0.1', port: 1 }, ...live];
  const answer = await withDnsLookups(servers, (lookups) => lookups.txt('a.example'));
  assert.deepEqual(answer, { kind: 'found', records: ['here'] });
});
