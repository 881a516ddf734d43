import { create } from 'zustand';
import type { Theme } from '../../data/persisted.ts';
import { inTab } from '../../data/storage.ts';
import type { CheckoutNews, CheckoutProgram, CheckoutSetUp } from './paddle.ts';

/** Where a checkout is. */
export type CheckoutState =
  | { readonly at: 'opening' | 'open' | 'closed' | 'completed' }
  /** The provider's program did not come. */
  | { readonly at: 'blocked' }
  /** It came, and shows nothing. */
  | { readonly at: 'silent' }
  | { readonly at: 'failed'; readonly why: string | undefined };

interface CheckoutOptions {
  readonly setUp: CheckoutSetUp;
  readonly transactionId: string;
  readonly theme: Theme;
}

/** How long the provider's program may take to come (ms; docs/limits.md#checkout-waits). */
const SCRIPT_WITHIN = 15_000;
/** And then the checkout to show itself. */
const SHOWN_WITHIN = 15_000;
/** What opens by itself has begun to within this time. */
const OPENS_ITSELF_WITHIN = 1_500;

/** Keeps, in this tab alone, which payment was made: a reload must not ask for it again. */
const PAID = 'afterword.paid';

/** The checkout of this document: it has one, however often its page is drawn. */
export const useCheckout = create<CheckoutState>()(() => ({ at: 'opening' }));

let begun = false;
let program: CheckoutProgram | undefined;
let timers: ReturnType<typeof setTimeout>[] = [];

/** Loads and opens the checkout, once. A payment that was made in this tab goes on from there. */
export function beginCheckout({ transactionId, ...options }: CheckoutOptions): void {
  if (begun) return;
  begun = true;
  if (inTab.getItem(PAID) === transactionId) {
    move({ at: 'completed' });
    return;
  }
  after(SCRIPT_WITHIN, () => move({ at: 'blocked' }));
  start({ transactionId, ...options }).catch(() => move({ at: 'blocked' }));
}

async function start({ transactionId, ...options }: CheckoutOptions): Promise<void> {
  const { startPaddle } = await import('./paddle.ts');
  program = await startPaddle({ transactionId, ...options, onEvent: (event) => follow(event, transactionId) });
  // It may have told of itself while it started.
  if (useCheckout.getState().at !== 'opening' && useCheckout.getState().at !== 'blocked') return;
  waitForIt();
  after(OPENS_ITSELF_WITHIN, () => {
    if (!program?.isThere()) program?.open();
  });
}

/** Opens it anew, after it was closed or failed. */
export function reopenCheckout(): void {
  waitForIt();
  program?.open();
}

function waitForIt(): void {
  move({ at: 'opening' });
  after(SHOWN_WITHIN, () => move({ at: 'silent' }));
}

function follow(event: CheckoutNews, transactionId: string): void {
  if (event.name === 'failed') move({ at: 'failed', why: event.why });
  else if (event.name === 'completed') complete(transactionId);
  else move({ at: event.name === 'loaded' ? 'open' : 'closed' });
}

/** Thanks once, when the provider's program has done its own part and the page shows what is next. */
function complete(transactionId: string): void {
  if (useCheckout.getState().at === 'completed') return;
  inTab.setItem(PAID, transactionId);
  move({ at: 'completed' });
  setTimeout(() => {
    alert('Thank you for your payment!');
    program?.close();
  });
}

/** What was paid stays paid; and where something is told, nothing is waited for any more. */
function move(state: CheckoutState): void {
  if (useCheckout.getState().at === 'completed') return;
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  useCheckout.setState(state, true);
}

function after(ms: number, work: () => void): void {
  timers.push(setTimeout(work, ms));
}
