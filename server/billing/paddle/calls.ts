import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddle/paddle-node-sdk';
import type { FastifyBaseLogger } from 'fastify';
import { Refusal, refusal } from '#contract/core/errors.ts';

/** How long one call may take (ms); Paddle's library waits for ever. */
const DEADLINE = 4_000;
/** How often what only reads is asked for, and the first wait in between (ms). */
const READS = { most: 2, wait: 300 };

const LOCKED = 'Your subscription is being renewed. Please try again in half an hour.';
const ENDED = 'This subscription has ended. Choose a plan again.';
const REFUSED = 'The payment provider rejected this. The site’s operator can see why in the log.';

/** What of Paddle's refusals is the caller's to know. */
const CONFLICTS: Readonly<Record<string, string>> = {
  subscription_update_when_canceled: ENDED,
  subscription_is_canceled_action_invalid: ENDED,
  subscription_locked_pending_changes: 'This subscription is being changed. Please try again in a moment.',
  subscription_update_when_past_due: 'A payment is due. Update the payment first.',
};
const isDeclined = (code: string): boolean => code === 'subscription_payment_declined' || code === 'transaction_payment_declined';

/** Calls of Paddle: each has a deadline, its failure is logged by its name, and is a refusal in plain words. */
export interface Calls {
  /** For what only reads: asked for again where no answer came. `isMissing` is given for what Paddle does not know. */
  read<T, M = never>(name: string, call: () => Promise<T>, more?: { readonly isMissing: M }): Promise<T | M>;
  /** For what changes something there: asked for once. */
  write<T>(name: string, call: () => Promise<T>): Promise<T>;
}

export function openCalls(log: Pick<FastifyBaseLogger, 'warn'>): Calls {
  return {
    async read(name, call, more) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTime(call);
        } catch (error) {
          if (more && error instanceof ApiError && error.code === 'not_found') return more.isMissing;
          const isFinal = error instanceof ApiError && !isBusy(error);
          if (isFinal || tried >= READS.most) throw refusedBy(error, name);
          await sleep(READS.wait * 2 ** tried);
        }
      }
    },
    async write(name, call) {
      try {
        return await inTime(call);
      } catch (error) {
        throw refusedBy(error, name);
      }
    },
  };

  function refusedBy(error: unknown, name: string): Refusal {
    if (error instanceof Refusal) return error;
    if (!(error instanceof ApiError)) {
      log.warn({ call: name, reason: reasonOf(error) }, 'the payment provider gives no answer');
      return refusal('payments-away');
    }
    const { code, detail } = error;
    if (isDeclined(code)) return refusal('payment-declined');
    if (code.startsWith('subscription_locked_') && !Object.hasOwn(CONFLICTS, code)) return refusal('conflict', LOCKED);
    const known = Object.hasOwn(CONFLICTS, code) ? CONFLICTS[code] : undefined;
    if (known !== undefined) return refusal('conflict', known);
    log.warn({ call: name, code, detail }, 'the payment provider refuses');
    if (isBusy(error)) return refusal('payments-away', { retryAfter: error.retryAfter ?? 1 });
    return refusal('payments-away', REFUSED);
  }
}

const isBusy = ({ code, type }: ApiError): boolean => code === 'too_many_requests' || type === 'api_error';

/** Never the message of what came in place of an answer: it may quote anything. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : typeof error;
};

async function inTime<T>(call: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(DEADLINE, undefined, { signal: over.signal }).then(() => {
    throw new CallTooLate();
  });
  // Whichever is left over fails unheard.
  late.catch(() => undefined);
  try {
    return await Promise.race([call(), late]);
  } finally {
    over.abort();
  }
}

class CallTooLate extends Error {
  override readonly name = 'CallTooLate';
}
