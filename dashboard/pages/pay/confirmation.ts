import { CallError } from '../../data/errors.ts';

interface Pace {
  /** Resolves after so long (ms). */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** UTC ms. */
  readonly now: () => number;
}

/** How long a payment's confirmation is waited for (ms; docs/limits.md#payment-confirmation). */
const WAITS = 30_000;
/** Between two questions (ms), where the server does not want more time: whoever looks again at once stays within what it takes (docs/limits.md#confirmations). */
const ASKS_AGAIN = 2_000;

/**
 * Asks whether a payment was made, until it was or half a minute is over. As often as the server wants to be asked; a provider
 * or a network that is away may come back, every other refusal is the last word. Gives whether it was.
 */
export async function confirmed(ask: () => Promise<boolean>, { sleep, now }: Pace): Promise<boolean> {
  const end = now() + WAITS;
  let pace = ASKS_AGAIN;
  for (;;) {
    try {
      if (await ask()) return true;
    } catch (error) {
      if (!mayPass(error)) return false;
      pace = Math.max(pace, error.retryAfter ?? ASKS_AGAIN);
    }
    if (now() + pace > end) return false;
    await sleep(pace);
  }
}

const TOO_MANY = 429;

const mayPass = (error: unknown): error is CallError =>
  error instanceof CallError && (error.isOffline || error.status === TOO_MANY || error.status >= 500);
