import { isIPv4, isIPv6 } from 'node:net';

/** Returns the network of an address: the /24 of IPv4, the /64 of IPv6. */
export function networkOf(address: string): string {
  const host = hostOf(address);
  return isIPv4(host) ? host.split('.').slice(0, 3).join('.') : host;
}

/** Returns the IPv4 address, or the IPv6 /64, whose addresses all belong to one caller. */
export function hostOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? prefixOf(plain) : plain;
}

/** Returns whether an address is a loopback address. */
export const isThisMachine = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address);

/**
 * Groups of an IPv6 address that belong to one caller: a /64. Limits count single addresses of IPv4, and guesses a /24.
 * @limit networks
 */
const PREFIX_GROUPS = 4;

function prefixOf(address: string): string {
  // The URL parser normalizes addresses: no leading zeros, at most one `::`, no dotted tail.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(gap).fill('0'), ...after].slice(0, PREFIX_GROUPS).join(':');
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
