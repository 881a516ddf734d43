import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { DAY } from '../core/time.ts';
import { translator } from '../language/translate.ts';
import {
  annualSavings,
  billedAmount,
  billingDay,
  costInWords,
  daysUntil,
  isReadOnly,
  isSubscriptionFine,
  nextSignUpStep,
  planPrice,
  type Subscription,
  subscriptionStateAt,
  trialEnd,
} from './billing.ts';
import { NO_REPORTS, PROVIDER_STATUSES, type ProviderSubscription, withReport } from './billing-state.ts';

const t = translator(() => ({ language: 'en' }));
const NOON = Date.UTC(2026, 10, 21, 12);
const END = trialEnd(NOON);
const SUBSCRIPTION: ProviderSubscription = { id: 'sub_1', customerId: 'ctm_1', priceId: 'pri_1', status: 'active', created: NOON };

describe('the state of a subscription', () => {
  const stateAt = (facts: Partial<Parameters<typeof subscriptionStateAt>[0]>, now: number, isPaid = true) =>
    subscriptionStateAt({ isSetUp: true, plan: 'Pro', purchases: NO_REPORTS, ...facts }, { isPaid, now });
  const afterPurchase = (fields: Partial<ProviderSubscription>, at = '2026-11-21T12:00:00.000000000Z') =>
    withReport(NO_REPORTS, { eventId: 'evt_1', at, subscription: { ...SUBSCRIPTION, ...fields } });

  it('is a trial until its end, then ended', () => {
    expect(stateAt({ trialEndsAt: END }, NOON)).toEqual({ status: 'active', phase: 'trial', trialEndsAt: END });
    expect(stateAt({ trialEndsAt: END }, END - 1).phase).toBe('trial');
    expect(stateAt({ trialEndsAt: END }, END).phase).toBe('ended');
    expect([isReadOnly({ phase: 'trial' }), isReadOnly({ phase: 'ended' })]).toEqual([false, true]);
  });

  it('is the provider’s after a purchase', () => {
    const month = NOON + 30 * DAY;
    expect(stateAt({ trialEndsAt: NOON - 1, purchases: afterPurchase({ nextBilledAt: month }) }, NOON)).toMatchObject({
      ...{ status: 'active', phase: 'paid', payment: { nextBilledAt: month } },
    });
    expect(
      stateAt({ trialEndsAt: END, purchases: afterPurchase({ status: 'trialing', trialEndsAt: END, nextBilledAt: END }) }, NOON),
    ).toEqual({
      ...{ status: 'trial', phase: 'trial', trialEndsAt: END, payment: { nextBilledAt: END } },
    });
    expect(stateAt({ purchases: afterPurchase({ cancelAt: month }) }, NOON).payment).toEqual({ cancelAt: month });
    expect(stateAt({ purchases: afterPurchase({ status: 'paused' }) }, NOON)).toMatchObject({ status: 'paused', phase: 'ended' });
    expect(stateAt({ trialEndsAt: NOON - 1, purchases: afterPurchase({ status: 'canceled', canceledAt: NOON }) }, NOON)).toMatchObject({
      ...{ status: 'cancelled', phase: 'ended', endedAt: NOON },
    });
  });

  it('has two weeks of grace from the first failed payment', () => {
    const reported = afterPurchase({ status: 'past_due' });
    expect(stateAt({ purchases: reported }, NOON)).toMatchObject({
      status: 'past_due',
      phase: 'grace',
      payment: { graceEndsAt: NOON + 14 * DAY },
    });
    expect(stateAt({ purchases: reported }, NOON + 14 * DAY)).toMatchObject({ status: 'past_due', phase: 'ended' });
  });

  it('stays a trial when a purchase is canceled before its first charge', () => {
    const reported = afterPurchase({ status: 'canceled', canceledAt: NOON });
    expect(stateAt({ trialEndsAt: END, purchases: reported }, NOON).phase).toBe('trial');
    const charged = afterPurchase({ status: 'canceled', canceledAt: NOON, firstBilledAt: NOON });
    expect(stateAt({ trialStartedAt: NOON - DAY, trialEndsAt: END, purchases: charged }, NOON).phase).toBe('ended');
    // An operator started another trial.
    expect(stateAt({ trialStartedAt: NOON + 1, trialEndsAt: END, purchases: charged }, NOON + 2).phase).toBe('trial');
  });

  it('never ends on a free plan, until something is bought', () => {
    expect(stateAt({ plan: 'Beta', trialEndsAt: NOON - 1 }, NOON).phase).toBe('none');
    expect(stateAt({ plan: 'Beta', purchases: afterPurchase({}) }, NOON).phase).toBe('paid');
  });

  it('is none before sign-up is finished, and never ends without billing', () => {
    const statuses = fc.constantFrom(...PROVIDER_STATUSES);
    fc.assert(
      fc.property(statuses, fc.option(fc.nat(), { nil: undefined }), fc.nat(), fc.boolean(), (status, trialEndsAt, now, isPaid) => {
        const reported = afterPurchase({ status });
        expect(stateAt({ isSetUp: false, trialEndsAt, purchases: reported }, now, isPaid)).toMatchObject({
          status: 'inactive',
          phase: 'none',
        });
        expect(stateAt({ trialEndsAt, purchases: reported }, now, false)).toMatchObject({ status: 'active', phase: 'none' });
      }),
    );
  });

  it('counts a started day as a whole one', () => {
    expect([daysUntil(END, END - 1), daysUntil(END, END - DAY), daysUntil(END, END - DAY - 1), daysUntil(END, END + 1)]).toEqual([
      1, 1, 2, 0,
    ]);
  });
});

describe('a trial', () => {
  it('lasts 480 hours and is billed on the day of the month on which it ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (start) => {
        const end = DateTime.fromMillis(start, { zone: 'utc' }).plus({ hours: 480 });
        expect(trialEnd(start)).toBe(end.toMillis());
        expect(billingDay(trialEnd(start))).toBe(end.day);
      }),
    );
  });
});

describe('prices', () => {
  it('cover twelve months or one', () => {
    expect([planPrice('Pro', 'Monthly'), planPrice('Pro', 'Annual')]).toEqual([25, 20]);
    expect([billedAmount('Pro', 'Monthly'), billedAmount('Pro', 'Annual')]).toEqual([25, 240]);
    expect([costInWords(t, 'Pro', 'Monthly'), costInWords(t, 'Pro', 'Annual')]).toEqual(['$25/month', '$240/yr']);
    expect(annualSavings('Pro')).toBe(20);
  });
});

describe('sign-up', () => {
  const subscription: Subscription = { status: 'inactive', phase: 'none' };

  it('continues at the first unfinished step', () => {
    expect(nextSignUpStep(undefined)).toBe(0);
    expect(nextSignUpStep(subscription)).toBe(1);
    expect(nextSignUpStep({ ...subscription, plan: 'Pro' })).toBe(2);
    expect(nextSignUpStep({ ...subscription, plan: 'Pro', startDate: NOON })).toBe(3);
  });

  it('opens the dashboard once it is finished, whatever the subscription’s status', () => {
    expect(isSubscriptionFine({ ...subscription, plan: 'Pro' })).toBe(false);
    for (const status of ['active', 'trial'] as const) {
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(true);
      expect(isSubscriptionFine({ ...subscription, status })).toBe(false);
    }
    for (const status of ['past_due', 'paused', 'cancelled'] as const)
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(true);
  });
});
