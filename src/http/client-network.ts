/** The network under which rate limits count a client. */
import { isIPv6 } from 'node:net';

/** One customer of a provider has at least a /64 of IPv6 addresses, and may use any of them. */
const COUNTED_GROUPS = 4;

/**
 * Returns the key by which limits count an address: an IPv4 address itself, also when it is mapped into IPv6
 * (`::ffff:192.0.2.1`), and the /64 of an IPv6 address. Any other text stays as it is.
 */
export function clientNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, COUNTED_GROUPS)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes all notations of an address, with dots too, as hexadecimal groups.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = written
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  const missing = 8 - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}
