import { initializePaddle, type PaddleEventData, type PaddleSetupOptions } from '@paddle/paddle-js';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { Theme } from '../../data/persisted.ts';

/** The settings of the provider's browser program. */
export type CheckoutSetUp = NonNullable<PublicConfig['billing']['checkout']>;

/** An event of the checkout. */
export type CheckoutEvent =
  | { readonly name: 'loaded' | 'closed' | 'completed' }
  /** `why` is the provider's message, if any. */
  | { readonly name: 'failed'; readonly why: string | undefined };

/** The provider's checkout for one payment. */
export interface CheckoutProgram {
  /** Opens it over the page. */
  open(): void;
  close(): void;
  /** Returns true if the checkout has begun to open. */
  readonly isThere: () => boolean;
}

interface StartOptions {
  readonly setUp: CheckoutSetUp;
  readonly transactionId: string;
  readonly theme: Theme;
  readonly onEvent: (event: CheckoutEvent) => void;
}

/**
 * Loads and starts the provider's program. It usually opens the checkout of the address's `_ptxn` automatically. The email of
 * the payment can't be changed. Throws if the program fails to load, and then on every call until the page is reloaded. Never
 * settles if the provider doesn't respond.
 */
export async function startPaddle({ setUp, transactionId, theme, onEvent }: StartOptions): Promise<CheckoutProgram> {
  // The loader fetches nothing if the script is already present.
  if (setUp.script !== undefined) await addScript(setUp.script);
  const settings = { theme, allowLogout: false };
  const paddle = await initializePaddle({
    ...sellerOf(setUp),
    ...(setUp.environment === 'sandbox' && { environment: setUp.environment }),
    checkout: { settings },
    eventCallback: (data) => {
      const event = eventOf(data);
      if (event) onEvent(event);
    },
  });
  if (!paddle) throw new Error('Paddle.js is missing');
  return {
    open: () => paddle.Checkout.open({ transactionId, settings }),
    close: () => paddle.Checkout.close(),
    isThere: () => [...document.querySelectorAll('iframe')].some(({ src }) => CHECKOUT_FRAME.test(src)),
  };
}

const CHECKOUT_FRAME = /^https:\/\/(?:sandbox-)?buy\.paddle\.com\//;

const sellerOf = ({ token, seller = 0 }: CheckoutSetUp): Pick<PaddleSetupOptions, 'token'> | Pick<PaddleSetupOptions, 'seller'> =>
  token === undefined ? { seller } : { token };

/** Returns the events that matter here. The checkout itself reports problems with a card. */
function eventOf({ name, detail }: PaddleEventData): CheckoutEvent | undefined {
  switch (name as string | undefined) {
    case 'checkout.loaded':
      return { name: 'loaded' };
    case 'checkout.closed':
      return { name: 'closed' };
    case 'checkout.completed':
      return { name: 'completed' };
    case 'checkout.error':
    case 'checkout.failed':
      return { name: 'failed', why: detail };
    default:
      return undefined;
  }
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The checkout’s script did not load')));
    script.src = src;
    document.head.append(script);
  });
}
