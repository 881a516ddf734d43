import type { FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import { hostOf, isThisMachine } from './network.ts';

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Returns whether a request comes from this machine. A proxy here forwards requests of others, and a page of another site has its
 * own host name.
 */
export const isLocal = ({ headers, hostname, socket }: FastifyRequest): boolean =>
  isThisMachine(socket.remoteAddress ?? '') && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname) && !isForwarded(headers);

const isForwarded = (headers: FastifyRequest['headers']): boolean => FORWARDED.some((name) => headers[name] !== undefined);

/**
 * Returns the network of a request: an IPv4 address or an IPv6 /64. Undefined behind an untrusted proxy on this machine, where all
 * callers would share one.
 */
export function networkBehind(
  { ip, headers, socket }: FastifyRequest,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): string | undefined {
  const isUnknown = trustedProxies === 0 && isThisMachine(socket.remoteAddress ?? '') && isForwarded(headers);
  return isUnknown ? undefined : hostOf(ip);
}

export function refuseUnlessLocal(request: FastifyRequest): void {
  if (!isLocal(request)) throw refusal('not-found');
}
