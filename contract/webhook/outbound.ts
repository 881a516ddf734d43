import { translatable } from '../language/translate.ts';

/* Why a message can't be delivered to an address that someone entered. The words are ours: a receiver's own text is never shown. */

export const OUTBOUND_ERRORS = translatable({
  'bad-address': 'The address must use https, without a port or a password.',
  'not-public': 'The address is in a private network.',
  'not-found': 'There is no server with that name.',
  unreachable: 'The server can’t be reached.',
  insecure: 'The server’s certificate isn’t valid.',
  timeout: 'The server took too long.',
  'broken-off': 'The server closed the connection.',
  busy: 'Too many messages to this server were in progress.',
});
export type OutboundError = keyof typeof OUTBOUND_ERRORS;
