import type { ITransactionPaymentAttemptResponse, ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { SavedCard } from '../state.ts';
import type { SandboxWorld } from '../world.ts';

/* The cards of a test, and what becomes of a payment with them. */

/** What the number of a card does. Every other number is unknown. */
const TEST_CARDS = {
  '4242424242424242': 'accepted',
  '4000000000000002': 'declined',
  '4000003800000446': 'secured',
} as const satisfies Record<string, string>;

export type CardBehaviour = (typeof TEST_CARDS)[keyof typeof TEST_CARDS];

/** What the card with a number does; undefined where it is none of a test. Blanks and dashes in between do not count. */
export function behaviourOf(number: string): CardBehaviour | undefined {
  const digits = number.replace(/[\s-]/g, '');
  return Object.hasOwn(TEST_CARDS, digits) ? TEST_CARDS[digits as keyof typeof TEST_CARDS] : undefined;
}

export const numberOf = (behaviour: CardBehaviour): string => Object.entries(TEST_CARDS).find(([, each]) => each === behaviour)?.[0] ?? '';

export const newCard = (world: SandboxWorld, behaviour: CardBehaviour, name: string): SavedCard => ({
  payment_method_id: world.newId('paymtd'),
  stored_payment_method_id: world.newUuid(),
  last4: numberOf(behaviour).slice(-4),
  cardholder_name: name,
});

/** Whether a charge is declined because somebody asked at the panel that the next one is. */
export function isDeclinedByFault({ state: { faults } }: SandboxWorld): boolean {
  const isDeclined = faults.declinesNextCharge;
  faults.declinesNextCharge = false;
  return isDeclined;
}

/** Why a payment failed. */
type CardError = 'declined' | 'authentication_failed';

/** Adds an attempt to pay a transaction, the newest first. */
export function addAttempt(
  world: SandboxWorld,
  transaction: ITransactionResponse,
  { card, error = null }: { readonly card: SavedCard; readonly error?: CardError | null },
): void {
  const at = world.moment();
  const attempt: ITransactionPaymentAttemptResponse = {
    payment_attempt_id: world.newUuid(),
    stored_payment_method_id: card.stored_payment_method_id,
    payment_method_id: card.payment_method_id,
    amount: transaction.details?.totals?.grand_total ?? '0',
    status: error === null ? 'captured' : 'error',
    error_code: error,
    method_details: {
      type: 'card',
      card: {
        type: 'visa',
        last4: card.last4,
        expiry_month: 12,
        expiry_year: new Date(world.now()).getUTCFullYear() + 3,
        cardholder_name: card.cardholder_name,
      },
      paypal: null,
      south_korea_local_card: null,
      underlying_details: null,
    },
    created_at: at,
    captured_at: error === null ? at : null,
  };
  transaction.payments = [attempt, ...transaction.payments];
}
