import assert from 'node:assert/strict';
import test from 'node:test';
import { clientNetwork } from './client-network.ts';

test('limits count IPv4 addresses individually, IPv6 addresses by /64, and mapped addresses as IPv4', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::FFFF:c000:201': '192.0.2.1',
    '0:0:0:0:0:ffff:192.0.2.1': '192.0.2.1',
    '2001:db8:1:2::1': '2001:db8:1:2::/64',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff': '2001:db8:1:2::/64',
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    '2001:db8::': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::1': '0:0:0:0::/64',
    unknown: 'unknown',
    '': '',
  };
  for (const [address, network] of Object.entries(networks)) assert.equal(clientNetwork(address), network);
});
