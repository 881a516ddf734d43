import type { FastifyRequest } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import { hostOf, isThisMachine } from './network.ts';

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether somebody at this machine asks. A proxy on this machine speaks for others; a page of another site that found our
 * address names itself as the host.
 */
export const isLocal = ({ headers, hostname, socket }: FastifyRequest): boolean =>
  isThisMachine(socket.remoteAddress ?? '') && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname) && !isForwarded(headers);

const isForwarded = (headers: FastifyRequest['headers']): boolean => FORWARDED.some((name) => headers[name] !== undefined);

/**
 * The network that a request comes from: an IPv4 address, or a /64. Undefined where a proxy on this machine speaks for others
 * and the settings do not name it: all of them would seem to be one.
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
