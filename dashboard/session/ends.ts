import { RECORDED_ENDS, SESSION_ENDS } from '#contract/identity/identity.ts';
import { nameOf } from './errors.ts';

/** The pool's words for a session that is over; behind them the product's own pool says why (docs/protocols.md#errors). */
const REVOKED = /^Refresh Token has been revoked: ([\w-]+)$/;

/**
 * What to say of a session that the pool does not go on with. Undefined where its own browser ended it, and where the pool does
 * not say.
 */
export function endOf(error: unknown): string | undefined {
  if (nameOf(error) === 'RefreshTokenReuseException') return SESSION_ENDS.reused;
  const message = error instanceof Error ? error.message : '';
  if (message === 'Refresh Token has expired') return SESSION_ENDS.expired;
  const why = REVOKED.exec(message)?.[1];
  const known = RECORDED_ENDS.find((end) => end === why);
  return known && SESSION_ENDS[known];
}
