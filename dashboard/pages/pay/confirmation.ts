import { CallError } from '../../data/errors.ts';

interface Pace {
  /** Resolves after the given time (ms). */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** UTC ms. */
  readonly now: () => number;
}

/** The time limit for a confirmation (ms). @limit payment-confirmation */
const TIMEOUT = 30_000;
/** The shortest interval between requests (ms). It leaves room in the server's limit for an immediate retry (docs/limits.md#confirmations). */
const INTERVAL = 2_000;

/**
 * Returns true once the payment is confirmed, and false after half a minute or a refusal. Follows the server's Retry-After, and
 * keeps asking through outages of the provider or network.
 */
export async function waitForConfirmation(ask: () => Promise<boolean>, { sleep, now }: Pace): Promise<boolean> {
  const end = now() + TIMEOUT;
  let pace = INTERVAL;
  for (;;) {
    try {
      if (await ask()) return true;
    } catch (error) {
      if (!isTemporary(error)) return false;
      pace = Math.max(pace, error.retryAfter ?? INTERVAL);
    }
    if (now() + pace > end) return false;
    await sleep(pace);
  }
}

const TOO_MANY = 429;

const isTemporary = (error: unknown): error is CallError =>
  error instanceof CallError && (error.isOffline || error.status === TOO_MANY || error.status >= 500);
