import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddle/paddle-node-sdk';
import type { FastifyBaseLogger } from 'fastify';
import { Refusal, refusal } from '#contract/core/errors.ts';

/** How long a call of the payment provider may take (ms). Paddle's library has no limit. @limit payment-calls */
const DEADLINE = 4_000;
/** Attempts of a read, and the wait between them (ms). @limit payment-calls */
const READS = { most: 2, wait: 300 };

const LOCKED = 'Your subscription is being renewed. Please try again in half an hour.';
const ENDED = 'This subscription has ended. Choose a plan again.';
const REFUSED = 'The payment provider rejected this. The site’s operator can see why in the log.';

/** Messages for the errors of Paddle that the caller can act on. */
const CONFLICTS: Readonly<Record<string, string>> = {
  subscription_update_when_canceled: ENDED,
  subscription_is_canceled_action_invalid: ENDED,
  subscription_locked_pending_changes: 'This subscription is being changed. Please try again in a moment.',
  subscription_update_when_past_due: 'A payment is due. Update the payment first.',
};
const isDeclined = (code: string): boolean => code === 'subscription_payment_declined' || code === 'transaction_payment_declined';

/** Calls Paddle with a timeout. Failures are logged by the call's name and thrown as refusals. */
export interface Calls {
  /** Reads, with a retry if there is no response. Returns `isMissing` for an unknown id. */
  read<T, M = never>(name: string, call: () => Promise<T>, more?: { readonly isMissing: M }): Promise<T | M>;
  /** Writes, without a retry. */
  write<T>(name: string, call: () => Promise<T>): Promise<T>;
}

export function openCalls(log: Pick<FastifyBaseLogger, 'warn'>): Calls {
  return {
    async read(name, call, more) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await withTimeout(call);
        } catch (error) {
          if (more && error instanceof ApiError && error.code === 'not_found') return more.isMissing;
          const isFinal = error instanceof ApiError && !isBusy(error);
          if (isFinal || attempt >= READS.most) throw refusalFor(error, name);
          await sleep(READS.wait * 2 ** attempt);
        }
      }
    },
    async write(name, call) {
      try {
        return await withTimeout(call);
      } catch (error) {
        throw refusalFor(error, name);
      }
    },
  };

  function refusalFor(error: unknown, name: string): Refusal {
    if (error instanceof Refusal) return error;
    if (!(error instanceof ApiError)) {
      log.warn({ call: name, reason: reasonOf(error) }, 'the payment provider did not respond');
      return refusal('payments-away');
    }
    const { code, detail } = error;
    if (isDeclined(code)) return refusal('payment-declined');
    if (code.startsWith('subscription_locked_') && !Object.hasOwn(CONFLICTS, code)) return refusal('conflict', LOCKED);
    const message = Object.hasOwn(CONFLICTS, code) ? CONFLICTS[code] : undefined;
    if (message !== undefined) return refusal('conflict', message);
    log.warn({ call: name, code, detail }, 'the payment provider refused a call');
    if (isBusy(error)) return refusal('payments-away', { retryAfter: error.retryAfter ?? 1 });
    return refusal('payments-away', REFUSED);
  }
}

const isBusy = ({ code, type }: ApiError): boolean => code === 'too_many_requests' || type === 'api_error';

/** Returns an error's code or name, never its message, which may quote anything. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : typeof error;
};

async function withTimeout<T>(call: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  const timeout = sleep(DEADLINE, undefined, { signal: answered.signal }).then(() => {
    throw new CallTooLate();
  });
  // Keeps the losing timer's rejection from being unhandled.
  timeout.catch(() => undefined);
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    answered.abort();
  }
}

class CallTooLate extends Error {
  override readonly name = 'CallTooLate';
}
