import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  annualSavings,
  billedAmount,
  billingDay,
  costInWords,
  isSubscriptionFine,
  nextSignUpStep,
  phaseOf,
  planPrice,
  type Subscription,
  trialEnd,
} from './billing.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const END = trialEnd(NOON);

describe('the phase of a subscription', () => {
  const phase = (status: Subscription['status'], trialEndsAt: number | undefined, now: number, isPaid = true) =>
    phaseOf({ status, trialEndsAt }, { isPaid, now });

  it('is a trial until the moment it ends, and ended from then on', () => {
    expect(phase('active', END, NOON)).toBe('trial');
    expect(phase('active', END, END - 1)).toBe('trial');
    expect(phase('active', END, END)).toBe('ended');
    expect(phase('trial', END, END + 1)).toBe('ended');
  });

  it('is paid without a trial, of grace when a payment failed, and ended when it was cancelled', () => {
    expect(phase('active', undefined, NOON)).toBe('paid');
    expect(phase('past_due', undefined, NOON)).toBe('grace');
    expect(phase('past_due', END, NOON)).toBe('grace');
    expect(phase('cancelled', END, NOON)).toBe('ended');
  });

  it('is none before signing up is finished', () => {
    expect(phase('inactive', END, NOON)).toBe('none');
  });

  it('is none where nobody pays: there nothing ever ends', () => {
    const statuses = fc.constantFrom<Subscription['status']>('inactive', 'active', 'trial', 'past_due', 'cancelled');
    fc.assert(
      fc.property(statuses, fc.option(fc.nat(), { nil: undefined }), fc.nat(), (status, trialEndsAt, now) => {
        expect(phase(status, trialEndsAt, now, false)).toBe('none');
      }),
    );
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

  it('opens the dashboard with a plan and a status that is fine', () => {
    expect(isSubscriptionFine({ ...subscription, plan: 'Pro' })).toBe(false);
    for (const status of ['active', 'trial'] as const) {
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(true);
      expect(isSubscriptionFine({ ...subscription, status })).toBe(false);
    }
    for (const status of ['past_due', 'cancelled'] as const)
      expect(isSubscriptionFine({ ...subscription, plan: 'Pro', status })).toBe(false);
  });
});
