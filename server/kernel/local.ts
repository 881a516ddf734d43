import type { FastifyRequest } from 'fastify';
import { refusal } from '#contract/errors.ts';
import { isThisMachine } from './network.ts';

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether somebody at this machine asks. A proxy on this machine speaks for others; a page of another site that found our
 * address names itself as the host.
 */
export const isLocal = ({ headers, hostname, socket }: FastifyRequest): boolean =>
  isThisMachine(socket.remoteAddress ?? '') &&
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname) &&
  FORWARDED.every((name) => headers[name] === undefined);

export function refuseUnlessLocal(request: FastifyRequest): void {
  if (!isLocal(request)) throw refusal('not-found');
}
