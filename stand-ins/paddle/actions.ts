import type { ISubscriptionResponse } from '@paddle/paddle-node-sdk';
import type { EventDelivery } from './delivery.ts';
import { byId, PaddleRefusal } from './refusal.ts';
import type { Seller } from './seller.ts';
import type { Faults } from './state.ts';
import { cancel, debtOf, endPeriod, pause, payCheckout } from './subscription.ts';
import { CARDS, refund } from './transactions.ts';

/** Actions of Paddle, a bank or a customer. Each resolves once it is saved, and throws a `PaddleRefusal` if it isn't possible. */
export type StandInActions = ReturnType<typeof openActions>;

export function openActions(seller: Seller, delivery: EventDelivery) {
  const { state, save } = seller;
  const act = (work: (subscription: ISubscriptionResponse) => void) => async (id: string) => {
    work(byId(state.subscriptions, id));
    await save();
  };
  const set = async (changes: Partial<Faults>) => {
    Object.assign(state.faults, changes);
    delivery.wake();
    await save();
  };

  return {
    /** The customer pays a checkout. */
    async pay(transactionId: string) {
      payCheckout(seller, transactionId, CARDS.good);
      await save();
    },
    /** The period or trial ends now, and is billed or canceled as scheduled. */
    renew: act((subscription) => endPeriod(seller, subscription)),
    /** The period or trial ends now, and the card is declined. */
    failRenewal: act((subscription) => {
      state.faults.declinesNextCharge = true;
      try {
        endPeriod(seller, subscription);
      } finally {
        state.faults.declinesNextCharge = false;
      }
    }),
    /** The card is tried again for a debt. */
    recover: act((subscription) => {
      const debt = debtOf(seller, subscription);
      if (!debt) throw new PaddleRefusal('bad_request', 'No payment is past due.');
      payCheckout(seller, debt.id, state.cards[subscription.id] ?? '');
    }),
    /** The subscription is canceled now, as after the last retry of a payment. */
    cancel: act((subscription) => cancel(seller, subscription, { effective_from: 'immediately' })),
    pause: act((subscription) => pause(seller, subscription)),
    /** The last payment is refunded. */
    refund: act((subscription) => refund(seller, subscription)),
    /** The last events are delivered twice more. */
    async deliverAgain(count = 5) {
      const ids = state.events.slice(-count).map(({ event_id }) => event_id);
      for (const id of [...ids, ...ids]) delivery.enqueue(id);
      await save();
    },
    holdDeliveries: () => set({ holdsDeliveries: true }),
    releaseDeliveries: () => set({ holdsDeliveries: false }),
    /** Held deliveries are released, the newest first. */
    async releaseReversed() {
      state.deliveries.reverse();
      await set({ holdsDeliveries: false });
    },
    declineNextCharge: () => set({ declinesNextCharge: true }),
    /** The next change of a subscription is refused, as shortly before a renewal. */
    lockNextUpdate: () => set({ locksNextUpdate: true }),
    /** The API responds with 503, or doesn't respond, until it comes back. */
    goDown: (outage: 'refuses' | 'hangs') => set({ outage }),
    comeBack: () => set({ outage: null }),
  };
}
