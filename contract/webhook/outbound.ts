/* What can keep a message from an address that somebody typed, in words of ours: the receiver's own reach nobody. */

export const OUTBOUND_ERRORS = {
  'bad-address': 'The address is not one that is called: https, without a port or a password.',
  'not-public': 'The address leads to a private network.',
  'not-found': 'There is no server of that name.',
  unreachable: 'The server cannot be reached.',
  insecure: 'The server’s certificate is not valid.',
  timeout: 'The server took too long.',
  'broken-off': 'The server broke the connection off.',
  busy: 'Too many messages to this server were under way.',
} as const;
export type OutboundError = keyof typeof OUTBOUND_ERRORS;
