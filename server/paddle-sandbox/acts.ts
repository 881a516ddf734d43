import { ApiRefusal } from './api-error.ts';
import type { EventDelivery } from './delivery.ts';
import { giveBack } from './lifecycle/adjustments.ts';
import { cancelNow, pauseNow, reachScheduledChange, resume } from './lifecycle/ending.ts';
import { payCheckout } from './lifecycle/purchase.ts';
import { renew, retry } from './lifecycle/renewal.ts';
import type { CardBehaviour } from './objects/cards.ts';
import { subscriptionById } from './objects/subscriptions.ts';
import { dueOf, latestOf } from './objects/transactions.ts';
import type { KeptSubscription } from './state.ts';
import type { SandboxWorld } from './world.ts';

/**
 * What Paddle, the bank or the customer would do. Each is kept and told as an event once the promise resolves, to a sentence that says
 * what was done. What cannot be done is rejected with an `ApiRefusal`, whose message says why.
 */
export interface SandboxActs {
  /** The customer fills in the checkout of a transaction. A card with 3-D Secure is confirmed. */
  pay(transactionId: string, card?: CardBehaviour): Promise<string>;
  /** The next renewal comes and is paid; in a trial, the trial ends and converts. */
  renew(subscriptionId: string): Promise<string>;
  /** The next renewal comes and the card is declined: past due. */
  failRenewal(subscriptionId: string): Promise<string>;
  /** The card is tried again for what is past due, and pays. */
  recover(subscriptionId: string): Promise<string>;
  /** The last retry failed: the subscription is canceled. */
  giveUp(subscriptionId: string): Promise<string>;
  pause(subscriptionId: string): Promise<string>;
  resume(subscriptionId: string): Promise<string>;
  /** A trial reaches its end, and converts. */
  endTrial(subscriptionId: string): Promise<string>;
  /** The date of a scheduled cancellation, pause or resumption comes. */
  reachScheduledChange(subscriptionId: string): Promise<string>;
  /** The last payment is given back. */
  refund(subscriptionId: string): Promise<string>;
  /** The bank takes the last payment back. */
  chargeBack(subscriptionId: string): Promise<string>;
  /** The last events are delivered again, twice each. */
  deliverAgain(count?: number): Promise<string>;
  /** What is delivered next leaves in one burst, the newest first. */
  reverseNextDeliveries(): Promise<string>;
  holdDeliveries(): Promise<string>;
  releaseDeliveries(): Promise<string>;
  /** The next delivery never arrives and is not tried again. */
  loseNextDelivery(): Promise<string>;
  /** The next charge of any card is declined. */
  declineNextCharge(): Promise<string>;
  /** The next change of a subscription is refused 409, with `subscription_locked_renewal` where no other code is given. */
  lockNextUpdate(code?: string): Promise<string>;
  /** The API answers 503, or does not answer, for `duration` ms: a minute where it is not said. */
  goDown(how: 'refuses' | 'hangs', duration?: number): Promise<string>;
  comeBack(): Promise<string>;
}

interface ActsOptions {
  readonly world: SandboxWorld;
  readonly delivery: EventDelivery;
  /** Waits until what was changed is kept. */
  readonly save: () => Promise<void>;
}

const MINUTE = 60_000;

export function openActs({ world, delivery, save }: ActsOptions): SandboxActs {
  const { faults } = world.state;
  const kept = (id: string): KeptSubscription => subscriptionById(world, id);

  return {
    pay: (transactionId, card = 'accepted') =>
      done(() =>
        payCheckout(world, { transactionId, card, name: 'Test Customer' }) ? 'The card was accepted.' : 'The card was declined.',
      ),
    renew: (id) => done(() => renewed(kept(id), { isPaid: true })),
    failRenewal: (id) => done(() => renewed(kept(id), { isPaid: false })),
    recover: (id) =>
      done(() => {
        const debt = latestOf(world, kept(id).entity.id, ({ status }) => status === 'past_due');
        if (!debt) throw impossible('Nothing is past due.');
        return retry(world, kept(id), debt) ? 'The card was tried again and paid.' : 'The card was tried again and declined.';
      }),
    giveUp: (id) =>
      done(() => {
        if (kept(id).entity.status !== 'past_due') throw impossible('Nothing is past due.');
        cancelNow(world, kept(id));
        return 'The last retry failed. The subscription is canceled.';
      }),
    pause: (id) =>
      done(() => {
        requireStatus(kept(id), ['active', 'past_due', 'trialing']);
        pauseNow(world, kept(id));
        return 'The subscription is paused.';
      }),
    resume: (id) =>
      done(() => (resume(world, kept(id)) ? 'The subscription is resumed.' : 'The subscription is resumed, and the card was declined.')),
    endTrial: (id) =>
      done(() => {
        requireStatus(kept(id), ['trialing']);
        return renewed(kept(id), { isPaid: true });
      }),
    reachScheduledChange: (id) =>
      done(() => {
        const action = reachScheduledChange(world, kept(id));
        return { cancel: 'The subscription is canceled.', pause: 'The subscription is paused.', resume: 'The subscription is resumed.' }[
          action
        ];
      }),
    refund: (id) => done(() => givenBack(id, 'refund')),
    chargeBack: (id) => done(() => givenBack(id, 'chargeback')),
    deliverAgain: (count = 5) =>
      done(() => {
        const ids = world.state.events.slice(-count).map(({ event_id }) => event_id);
        for (const id of [...ids, ...ids]) delivery.enqueue(id);
        return `The last ${ids.length} events are delivered twice more.`;
      }),
    reverseNextDeliveries: () => fault({ reversesNextDeliveries: true }, 'The next events are delivered newest first.'),
    holdDeliveries: () => fault({ holdsDeliveries: true }, 'Deliveries are held back.'),
    releaseDeliveries: () => fault({ holdsDeliveries: false }, 'Deliveries go on.'),
    loseNextDelivery: () => fault({ losesNextDelivery: true }, 'The next delivery is lost.'),
    declineNextCharge: () => fault({ declinesNextCharge: true }, 'The next charge is declined.'),
    lockNextUpdate: (code = 'subscription_locked_renewal') =>
      fault({ locksNextUpdate: code }, `The next change of a subscription is refused with ${code}.`),
    goDown: (how, duration = MINUTE) =>
      fault(
        { down: { until: Date.now() + duration, how } },
        `The API ${how === 'hangs' ? 'does not answer' : 'answers 503'} for ${Math.round(duration / 1000)} seconds.`,
      ),
    comeBack: () => fault({ down: null }, 'The API answers again.'),
  };

  async function done(work: () => string): Promise<string> {
    const sentence = work();
    await save();
    return sentence;
  }

  function fault(changes: Partial<typeof faults>, sentence: string): Promise<string> {
    return done(() => {
      Object.assign(faults, changes);
      delivery.wake();
      return sentence;
    });
  }

  function renewed(subscription: KeptSubscription, { isPaid }: { readonly isPaid: boolean }): string {
    requireStatus(subscription, ['active', 'trialing']);
    if (subscription.entity.scheduled_change?.action === 'cancel' || subscription.entity.scheduled_change?.action === 'pause')
      throw impossible('It does not renew: it ends or pauses then. Let what is scheduled happen.');
    const what = subscription.entity.status === 'trialing' ? 'The trial ended' : 'The subscription renewed';
    return renew(world, subscription, { isPaid }) ? `${what} and the card paid.` : `${what} and the card was declined: it is past due.`;
  }

  function givenBack(id: string, action: 'refund' | 'chargeback'): string {
    const payment = latestOf(world, kept(id).entity.id, (each) => each.status === 'completed' && dueOf(each) > 0);
    if (!payment) throw impossible('There is no payment to give back.');
    giveBack(world, payment, action);
    return action === 'refund' ? 'The last payment was refunded.' : 'The bank took the last payment back.';
  }
}

function requireStatus({ entity }: KeptSubscription, allowed: readonly string[]): void {
  if (!allowed.includes(entity.status)) throw impossible(`The subscription is ${entity.status.replace('_', ' ')}.`);
}

const impossible = (why: string): ApiRefusal => new ApiRefusal(400, 'bad_request', why);
