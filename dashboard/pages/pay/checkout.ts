import { create } from 'zustand';
import type { Theme } from '../../data/persisted.ts';
import { inTab } from '../../data/storage.ts';
import { t } from '../../language.ts';
import type { CheckoutEvent, CheckoutProgram, CheckoutSetUp } from './paddle.ts';

/** The state of the checkout. */
export type CheckoutState =
  | { readonly at: 'opening' | 'open' | 'closed' | 'completed' }
  /** The provider's program didn't load. */
  | { readonly at: 'blocked' }
  /** It loaded and shows nothing. */
  | { readonly at: 'silent' }
  | { readonly at: 'failed'; readonly why: string | undefined };

interface CheckoutOptions {
  readonly setUp: CheckoutSetUp;
  readonly transactionId: string;
  readonly theme: Theme;
}

/** The time limit for loading the provider's program (ms). @limit checkout-waits */
const SCRIPT_WITHIN = 15_000;
/** The time limit for the checkout to appear after that (ms). @limit checkout-waits */
const SHOWN_WITHIN = 15_000;
/** A checkout that opens automatically starts within this time (ms). @limit checkout-waits */
const AUTO_OPENS_WITHIN = 1_500;

/** Stores the paid transaction in this tab, so that a reload doesn't ask for it again. */
const PAID = 'afterword.paid';

/** The document's only checkout, however often the page is rendered. */
export const useCheckout = create<CheckoutState>()(() => ({ at: 'opening' }));

let isStarted = false;
let program: CheckoutProgram | undefined;
let timers: ReturnType<typeof setTimeout>[] = [];

/** Loads and opens the checkout once. Continues after a payment already made in this tab. */
export function beginCheckout({ transactionId, ...options }: CheckoutOptions): void {
  if (isStarted) return;
  isStarted = true;
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
  // An event may have arrived while it started.
  if (useCheckout.getState().at !== 'opening' && useCheckout.getState().at !== 'blocked') return;
  waitForIt();
  after(AUTO_OPENS_WITHIN, () => {
    if (!program?.isThere()) program?.open();
  });
}

/** Reopens the checkout after it was closed or failed. */
export function reopenCheckout(): void {
  waitForIt();
  program?.open();
}

function waitForIt(): void {
  move({ at: 'opening' });
  after(SHOWN_WITHIN, () => move({ at: 'silent' }));
}

function follow(event: CheckoutEvent, transactionId: string): void {
  if (event.name === 'failed') move({ at: 'failed', why: event.why });
  else if (event.name === 'completed') complete(transactionId);
  else move({ at: event.name === 'loaded' ? 'open' : 'closed' });
}

/** Thanks once, after the provider's program has finished and the page shows the next step. */
function complete(transactionId: string): void {
  if (useCheckout.getState().at === 'completed') return;
  inTab.setItem(PAID, transactionId);
  move({ at: 'completed' });
  setTimeout(() => {
    alert(t('Thank you for your payment!'));
    program?.close();
  });
}

/** Changes the state and stops the timers. A completed checkout stays completed. */
function move(state: CheckoutState): void {
  if (useCheckout.getState().at === 'completed') return;
  for (const timer of timers) clearTimeout(timer);
  timers = [];
  useCheckout.setState(state, true);
}

function after(ms: number, work: () => void): void {
  timers.push(setTimeout(work, ms));
}
