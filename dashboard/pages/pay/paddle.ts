import { initializePaddle, type PaddleEventData, type PaddleSetupOptions } from '@paddle/paddle-js';
import type { PublicConfig } from '#contract/identity/identity.ts';
import type { Theme } from '../../data/persisted.ts';

/** What the provider's program in the browser starts with. */
export type CheckoutSetUp = NonNullable<PublicConfig['billing']['checkout']>;

/** What the checkout tells of itself. */
export type CheckoutNews =
  | { readonly name: 'loaded' | 'closed' | 'completed' }
  /** `why` is a sentence of the provider's, where it gave one. */
  | { readonly name: 'failed'; readonly why: string | undefined };

/** The provider's checkout for one payment. */
export interface CheckoutProgram {
  /** Opens it over the page. */
  open(): void;
  close(): void;
  /** Whether it is on its way to the screen already. */
  readonly isThere: () => boolean;
}

interface StartOptions {
  readonly setUp: CheckoutSetUp;
  readonly transactionId: string;
  readonly theme: Theme;
  readonly onEvent: (event: CheckoutNews) => void;
}

/**
 * Loads the provider's program and starts it; it opens the checkout of the address's `_ptxn` by itself, as a rule. Nobody may
 * change the email that the payment is for. Throws where the program does not come, and then at every further call: a reload is
 * the only way out. Never settles where nobody answers.
 */
export async function startPaddle({ setUp, transactionId, theme, onEvent }: StartOptions): Promise<CheckoutProgram> {
  // Where it is there already, nothing more is loaded.
  if (setUp.script !== undefined) await addScript(setUp.script);
  const settings = { theme, allowLogout: false };
  const paddle = await initializePaddle({
    ...sellerOf(setUp),
    ...(setUp.environment === 'sandbox' && { environment: setUp.environment }),
    checkout: { settings },
    eventCallback: (told) => {
      const event = eventOf(told);
      if (event) onEvent(event);
    },
  });
  if (!paddle) throw new Error('Paddle.js is not there');
  return {
    open: () => paddle.Checkout.open({ transactionId, settings }),
    close: () => paddle.Checkout.close(),
    isThere: () => [...document.querySelectorAll('iframe')].some(({ src }) => CHECKOUT_FRAME.test(src)),
  };
}

const CHECKOUT_FRAME = /^https:\/\/(?:sandbox-)?buy\.paddle\.com\//;

const sellerOf = ({ token, seller = 0 }: CheckoutSetUp): Pick<PaddleSetupOptions, 'token'> | Pick<PaddleSetupOptions, 'seller'> =>
  token === undefined ? { seller } : { token };

/** What goes wrong with a card, the checkout says itself. */
function eventOf({ name, ...told }: PaddleEventData): CheckoutNews | undefined {
  switch (name as string | undefined) {
    case 'checkout.loaded':
      return { name: 'loaded' };
    case 'checkout.closed':
      return { name: 'closed' };
    case 'checkout.completed':
      return { name: 'completed' };
    case 'checkout.error':
    case 'checkout.failed':
      return { name: 'failed', why: told.detail };
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
