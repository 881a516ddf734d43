import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { DAY } from '../core/time.ts';
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

const NOON = Date.UTC(2026, 10, 21, 12);
const END = trialEnd(NOON);
const SUBSCRIPTION: ProviderSubscription = { id: 'sub_1', customerId: 'ctm_1', priceId: 'pri_1', status: 'active', created: NOON };

describe('what a subscription means', () => {
  const standing = (facts: Partial<Parameters<typeof subscriptionStateAt>[0]>, now: number, isPaid = true) =>
    subscriptionStateAt({ isSetUp: true, plan: 'Pro', heard: NO_REPORTS, ...facts }, { isPaid, now });
  const bought = (said: Partial<ProviderSubscription>, at = '2026-11-21T12:00:00.000000000Z') =>
    withReport(NO_REPORTS, { eventId: 'evt_1', at, subscription: { ...SUBSCRIPTION, ...said } });

  it('is a trial until the moment it ends, and ended from then on', () => {
    expect(standing({ trialEndsAt: END }, NOON)).toEqual({ status: 'active', phase: 'trial', trialEndsAt: END });
    expect(standing({ trialEndsAt: END }, END - 1).phase).toBe('trial');
    expect(standing({ trialEndsAt: END }, END).phase).toBe('ended');
    expect([isReadOnly({ phase: 'trial' }), isReadOnly({ phase: 'ended' })]).toEqual([false, true]);
  });

  it('is what the provider says of what was bought', () => {
    const month = NOON + 30 * DAY;
    expect(standing({ trialEndsAt: NOON - 1, heard: bought({ nextBilledAt: month }) }, NOON)).toMatchObject({
      ...{ status: 'active', phase: 'paid', payment: { nextBilledAt: month } },
    });
    expect(standing({ trialEndsAt: END, heard: bought({ status: 'trialing', trialEndsAt: END, nextBilledAt: END }) }, NOON)).toEqual({
      ...{ status: 'trial', phase: 'trial', trialEndsAt: END, payment: { nextBilledAt: END } },
    });
    expect(standing({ heard: bought({ cancelAt: month }) }, NOON).payment).toEqual({ cancelAt: month });
    expect(standing({ heard: bought({ status: 'paused' }) }, NOON)).toMatchObject({ status: 'paused', phase: 'ended' });
    expect(standing({ trialEndsAt: NOON - 1, heard: bought({ status: 'canceled', canceledAt: NOON }) }, NOON)).toMatchObject({
      ...{ status: 'cancelled', phase: 'ended', endedAt: NOON },
    });
  });

  it('has two weeks of grace from when a payment was due first', () => {
    const heard = bought({ status: 'past_due' });
    expect(standing({ heard }, NOON)).toMatchObject({ status: 'past_due', phase: 'grace', payment: { graceEndsAt: NOON + 14 * DAY } });
    expect(standing({ heard }, NOON + 14 * DAY)).toMatchObject({ status: 'past_due', phase: 'ended' });
  });

  it('goes on as a trial where what was bought in it was cancelled at once', () => {
    const heard = bought({ status: 'canceled', canceledAt: NOON });
    expect(standing({ trialEndsAt: END, heard }, NOON).phase).toBe('trial');
    const charged = bought({ status: 'canceled', canceledAt: NOON, firstBilledAt: NOON });
    expect(standing({ trialStartedAt: NOON - DAY, trialEndsAt: END, heard: charged }, NOON).phase).toBe('ended');
    // An operator gave another trial.
    expect(standing({ trialStartedAt: NOON + 1, trialEndsAt: END, heard: charged }, NOON + 2).phase).toBe('trial');
  });

  it('never ends on a plan that costs nothing, until something is bought', () => {
    expect(standing({ plan: 'Beta', trialEndsAt: NOON - 1 }, NOON).phase).toBe('none');
    expect(standing({ plan: 'Beta', heard: bought({}) }, NOON).phase).toBe('paid');
  });

  it('is nothing before signing up is finished, and where nobody pays: there nothing ever ends', () => {
    const statuses = fc.constantFrom(...PROVIDER_STATUSES);
    fc.assert(
      fc.property(statuses, fc.option(fc.nat(), { nil: undefined }), fc.nat(), fc.boolean(), (status, trialEndsAt, now, isPaid) => {
        const heard = bought({ status });
        expect(standing({ isSetUp: false, trialEndsAt, heard }, now, isPaid)).toMatchObject({ status: 'inactive', phase: 'none' });
        expect(standing({ trialEndsAt, heard }, now, false)).toMatchObject({ status: 'active', phase: 'none' });
      }),
    );
  });

  it('counts a day that has begun', () => {
    expect([daysUntil(END, END - 1), daysUntil(END, END - DAY), daysUntil(END, END - DAY - 1), daysUntil(END, END + 1)]).toEqual([
      1, 1, 2, 0,
    ]);
  });
});

describe('a trial', () => {
  it('lasts twenty days of twenty-four hours, and is billed on the day of the month on which it ends', () => {
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
  it('are twelve months at once, or one', () => {
    expect([planPrice('Pro', 'Monthly'), planPrice('Pro', 'Annual')]).toEqual([25, 20]);
    expect([billedAmount('Pro', 'Monthly'), billedAmount('Pro', 'Annual')]).toEqual([25, 240]);
    expect([costInWords('Pro', 'Monthly'), costInWords('Pro', 'Annual')]).toEqual(['$25/month', '$240/yr']);
    expect(annualSavings('Pro')).toBe(20);
  });
});

describe('signing up', () => {
  const subscription: Subscription = { status: 'inactive', phase: 'none' };

  it('goes on where it was left', () => {
    expect(nextSignUpStep(undefined)).toBe(0);
    expect(nextSignUpStep(subscription)).toBe(1);
    expect(nextSignUpStep({ ...subscription, plan: 'Pro' })).toBe(2);
    expect(nextSignUpStep({ ...subscription, plan: 'Pro', startDate: NOON })).toBe(3);
  });

  it('opens the dashboard once it is finished, whatever becomes of the subscription', () => {
    expect(isSubscriptionFine({ ...subscription, plan: 'Pro' })).toBe(false);
    for (const status of ['active', 'trial'] as const) {
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(true);
      expect(isSubscriptionFine({ ...subscription, status })).toBe(false);
    }
    for (const status of ['past_due', 'paused', 'cancelled'] as const)
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(true);
  });
});
