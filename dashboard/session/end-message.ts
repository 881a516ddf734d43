import { RECORDED_ENDS, SESSION_ENDS } from '#contract/identity/identity.ts';
import { nameOf } from './errors.ts';

/** The pool's message for an ended session, to which the product's own pool adds the reason (docs/protocols.md#errors). */
const REVOKED = /^Refresh Token has been revoked: ([\w-]+)$/;

/** Returns the message for an ended session; undefined if this browser ended it, or if the pool gives no reason. */
export function endMessageOf(error: unknown): string | undefined {
  if (nameOf(error) === 'RefreshTokenReuseException') return SESSION_ENDS.reused;
  const message = error instanceof Error ? error.message : '';
  if (message === 'Refresh Token has expired') return SESSION_ENDS.expired;
  const code = REVOKED.exec(message)?.[1];
  const reason = RECORDED_ENDS.find((end) => end === code);
  return reason && SESSION_ENDS[reason];
}
