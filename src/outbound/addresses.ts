/**
 * Rules for the IP addresses that outbound calls may reach, by CIDR arithmetic (never by text prefixes). Denied are the
 * ranges of the IANA special-purpose registries (RFC 6890 and its successors) that are not globally reachable, and
 * ranges that embed another address.
 */
import { BlockList, isIP } from 'node:net';

/** `special`: loopback, private, link-local and the like; `metadata`: a cloud's credential service. */
export type AddressKind = 'public' | 'special' | 'metadata';

const SPECIAL_V4 = [
  '0.0.0.0/8', // this host and network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

const SPECIAL_V6 = [
  // Everything outside global unicast, 2000::/3: unspecified, loopback, IPv4-compatible, NAT64 (64:ff9b::/96 and
  // 64:ff9b:1::/48), discard (100::/64), segment routing (5f00::/16), unique local, link-local, site-local, multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, among them Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

const METADATA_V4 = [
  '169.254.169.254', // most clouds
  '169.254.170.2', // AWS containers
  '169.254.170.23', // AWS pods
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  '168.63.129.16', // Azure
];

const METADATA_V6 = [
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS pods
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fd00:c1::a9fe:a9fe', // Oracle
  'fe80::a9fe:a9fe', // OpenStack
];

const special = { ipv4: new BlockList(), ipv6: new BlockList() };
const metadata = { ipv4: new BlockList(), ipv6: new BlockList() };
const mapped = new BlockList();

// Two lists, because a BlockList treats ::ffff:a.b.c.d and a.b.c.d as equal: the rule ::/3 would match all IPv4.
for (const range of SPECIAL_V4) addRange(special.ipv4, range, 'ipv4');
for (const range of SPECIAL_V6) addRange(special.ipv6, range, 'ipv6');
for (const address of METADATA_V4) metadata.ipv4.addAddress(address, 'ipv4');
for (const address of METADATA_V6) metadata.ipv6.addAddress(address, 'ipv6');
for (const range of METADATA_V4.flatMap(transitionForms)) addRange(metadata.ipv6, range, 'ipv6');
addRange(mapped, '::ffff:0:0/96', 'ipv6');

/** Classifies an address in text form, with or without a zone. @throws TypeError if it is not an IP address. */
export function addressKind(address: string): AddressKind {
  // With its zone, fe80::1%eth0 would match no rule.
  const [plain = ''] = address.split('%', 1);
  const family = isIP(plain);
  if (family === 0) throw new TypeError('not an IP address');
  const ownFamily = family === 4 ? 'ipv4' : 'ipv6';
  // An IPv4-mapped address counts as the embedded IPv4 address; the IPv4 lists accept that notation.
  const ruleFamily = ownFamily === 'ipv6' && mapped.check(plain, 'ipv6') ? 'ipv4' : ownFamily;
  if (metadata[ruleFamily].check(plain, ownFamily)) return 'metadata';
  return special[ruleFamily].check(plain, ownFamily) ? 'special' : 'public';
}

/** Returns the IPv6 forms through which a gateway would reach the IPv4 address: IPv4-compatible, NAT64, 6to4. */
function transitionForms(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  return [
    `::${high}:${low}/128`,
    `64:ff9b::${high}:${low}/128`,
    `64:ff9b:1::${high}:${low}/128`,
    `2002:${high}:${low}::/48`,
  ];
}

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', prefix] = range.split('/');
  list.addSubnet(network, Number(prefix), family);
}
