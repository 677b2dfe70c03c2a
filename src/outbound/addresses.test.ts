import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { addressKind } from './addresses.ts';
import { refusalOf } from './target-policy.ts';

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

const anyV4 = fc.nat(0xffff_ffff);

test('every documented special-purpose range is special exactly from its first to its last address', () => {
  const ranges: [string, string, string, string][] = [
    ['0.0.0.0', '0.255.255.255', '', '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '239.255.255.255', '223.255.255.255', ''],
    ['240.0.0.0', '255.255.255.255', '', ''],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '', ''],
    ['::', '::1', '', '2000::'],
    ['64:ff9b::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '', ''],
    ['100::', '5f00::1', '', ''],
  ];
  for (const [first, last, before, after] of ranges) {
    assert.equal(addressKind(first), 'special', first);
    assert.equal(addressKind(last), 'special', last);
    for (const outside of [before, after])
      if (outside !== '') assert.equal(addressKind(outside), 'public', outside);
  }
});

test('no IPv6 address outside global unicast is public', () => {
  const group = fc.nat(0xffff).map((value) => value.toString(16));
  fc.assert(
    fc.property(fc.nat(0xffff), fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
      fc.pre(first < 0x2000 || first > 0x3fff);
      fc.pre(!(first === 0 && rest.slice(0, 4).every((value) => value === '0') && rest[4] === 'ffff'));
      assert.notEqual(addressKind([first.toString(16), ...rest].join(':')), 'public');
    }),
  );
});

test('an IPv4-mapped address is judged like its IPv4 address, in either spelling', () => {
  fc.assert(
    fc.property(anyV4, (value) => {
      const kind = addressKind(dotted(value));
      assert.equal(addressKind(`::ffff:${dotted(value)}`), kind);
      const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
      assert.equal(addressKind(`0:0:0:0:0:FFFF:${hex}`), kind);
    }),
  );
});

test('an IPv4 address is judged the same in every spelling that a URL allows', () => {
  fc.assert(
    fc.property(anyV4, (value) => {
      const octal = dotted(value)
        .split('.')
        .map((part) => `0${Number(part).toString(8)}`);
      for (const spelling of [
        String(value),
        `0x${value.toString(16)}`,
        octal.join('.'),
        `${dotted(value)}.`,
      ]) {
        assert.equal(
          addressKind(new URL(`http://${spelling}/`).hostname),
          addressKind(dotted(value)),
          spelling,
        );
      }
    }),
  );
});

test('cloud metadata addresses are recognised, also through mapped, NAT64 and 6to4 forms and with a zone', () => {
  const addresses = [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'FD00:0EC2:0::0254',
    'fd20:ce::254',
    'fe80::a9fe:a9fe%eth0',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ];
  for (const address of addresses) assert.equal(addressKind(address), 'metadata', address);
  assert.equal(addressKind('169.254.169.253'), 'special');
});

test('a zone does not hide a link-local address', () => {
  assert.equal(addressKind('fe80::1%eth0'), 'special');
});

test('ordinary addresses are public', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8']) {
    assert.equal(addressKind(address), 'public', address);
  }
});

test('a text that is no address is an error, not public', () => {
  for (const text of ['', 'localhost', '127.1', '[::1]']) assert.throws(() => addressKind(text), TypeError);
});

test('one forbidden address among several rejects the host', () => {
  assert.equal(refusalOf(['8.8.8.8', '2606:4700::1'], false), null);
  assert.match(
    refusalOf(['8.8.8.8', '10.0.0.1'], false)?.message ?? '',
    /blocked by policy.*OUTBOUND_ALLOW_PRIVATE/,
  );
  assert.equal(refusalOf(['8.8.8.8', '10.0.0.1'], true), null);
  assert.match(refusalOf(['10.0.0.1', '169.254.169.254'], true)?.message ?? '', /metadata/);
});
