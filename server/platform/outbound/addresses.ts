import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { OutboundError } from '#contract/webhook/outbound.ts';
import type { Config } from '../config/config.ts';

/* The rules for addresses that may be called. */

/** Returns why a URL is never called, or undefined if it may be. */
export function problemWith(url: string, { allowPrivate, ports }: Config['outbound']): OutboundError | undefined {
  if (!URL.canParse(url)) return 'bad-address';
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return 'bad-address';
  if (username !== '' || password !== '' || hostname === '') return 'bad-address';
  if (allowPrivate) return undefined;
  if (port !== '' && !ports.includes(Number(port))) return 'bad-address';
  const host = bare(hostname);
  if (isIP(host)) return isPublic(host) ? undefined : 'not-public';
  return isPublicName(host) ? undefined : 'not-public';
}

/** Returns false for names of private networks: those without a dot, or below a domain that isn't on the internet. */
const isPublicName = (host: string): boolean =>
  host.includes('.') &&
  !host.endsWith('.') &&
  !/(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|onion)$/.test(host);

/** Metadata services with a public-looking address, which reveal the machine's secrets. */
const METADATA = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Ranges within it that aren't on the internet: protocol assignments, documentation, and IPv4 translation. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));

/** Returns whether an address is a host on the public internet, not this machine, a private network or a multicast group. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || METADATA.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => parsed.match(range)));
}

/** Removes the brackets of an IPv6 address in a URL. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
