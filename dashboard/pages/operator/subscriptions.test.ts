import { describe, expect, it } from 'vitest';
import type { ListedAccount } from '#contract/account/account.ts';
import type { Subscription } from '#contract/billing/billing.ts';
import { GRACE } from '#contract/billing/billing-state.ts';
import { DAY } from '#contract/core/time.ts';
import { account } from '#fixtures/business.ts';
import { readSubscriptionsSearch } from './search.ts';
import { accountStatusOf, endOfTrialDay, planInWords, subscriptionStatusOf, trialDaysAt, whyNoBeta, whyNoTrial } from './subscriptions.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const MAY_11 = Date.UTC(2026, 4, 11, 12);
const subscriptionWith = (change: Partial<Subscription>): Subscription => ({
  plan: 'Pro',
  paymentFrequency: 'Annual',
  status: 'active',
  phase: 'paid',
  ...change,
});
const statusOf = (change: Partial<Subscription>) => subscriptionStatusOf(subscriptionWith(change), NOW);

describe('an account’s status for operators', () => {
  const listedAccount = (change: Partial<Subscription>, deletedAt?: number): ListedAccount => ({
    account: { ...account, data: { ...account.data, subscription: subscriptionWith(change) } },
    users: 1,
    properties: 1,
    ...(deletedAt !== undefined && { deletedAt }),
  });
  const labelOf = (row: ListedAccount, isBilled = true) => accountStatusOf(row, { isBilled, now: NOW }).label;

  it('matches the label that its team sees, not the provider’s status', () => {
    expect(labelOf(listedAccount({ status: 'active', phase: 'trial', trialEndsAt: MAY_11 }))).toBe('Trial');
    expect(labelOf(listedAccount({ status: 'trial', phase: 'trial', payment: { cancelAt: MAY_11 } }))).toBe('Ending');
    expect(labelOf(listedAccount({ status: 'inactive', phase: 'none' }))).toBe('Signing up');
    expect(labelOf(listedAccount({}, MAY_11))).toBe('Deleted');
    expect(labelOf(listedAccount({ phase: 'none' }), false)).toBe('Active');
  });
});

describe('a subscription’s status for operators', () => {
  it('has a label and the relevant date', () => {
    expect(statusOf({ plan: 'Beta', phase: 'none' }).label).toBe('Free');
    expect(statusOf({ payment: { nextBilledAt: MAY_11 } })).toEqual({ label: 'Paid', tone: 'ok', when: 'Next bill 11 May 2026' });
    expect(statusOf({ payment: { cancelAt: MAY_11 } })).toMatchObject({ label: 'Ending', when: 'Ends on 11 May 2026' });
    expect(statusOf({ status: 'past_due', phase: 'grace', payment: { graceEndsAt: MAY_11 + GRACE } }).when).toBe(
      'Past due since 11 May 2026',
    );
    expect(statusOf({ status: 'paused', phase: 'ended', payment: {} }).label).toBe('Paused');
    expect(statusOf({ status: 'cancelled', phase: 'ended', endedAt: MAY_11 }).when).toBe('On 11 May 2026');
    expect(statusOf({ phase: 'ended', trialEndsAt: MAY_11 }).when).toBe('Trial until 11 May 2026');
  });

  it('warns about trials that end soon without a payment', () => {
    const trial = { phase: 'trial', trialEndsAt: NOW + 5 * DAY } as const;
    expect(statusOf(trial)).toEqual({ label: 'Trial', tone: 'warn', when: '5 days left' });
    expect(statusOf({ ...trial, trialEndsAt: NOW + 8 * DAY }).tone).toBe('accent');
    expect(statusOf({ ...trial, status: 'trial', payment: {} })).toEqual({ label: 'Trial', tone: 'accent', when: 'Bought, 5 days left' });
  });

  it('names the plan with its cost', () => {
    expect(planInWords(subscriptionWith({}))).toBe('Pro, $240/yr');
    expect(planInWords(subscriptionWith({ plan: 'Beta' }))).toBe('Beta');
    expect(planInWords(subscriptionWith({ plan: undefined }))).toBe('No plan');
  });

  it('allows extending a trial and giving Beta only without a running subscription', () => {
    for (const phase of ['trial', 'ended'] as const) {
      expect(whyNoTrial(subscriptionWith({ phase }))).toBeUndefined();
      expect(whyNoBeta(subscriptionWith({ phase }))).toBeUndefined();
    }
    for (const change of [{ payment: {} }, { phase: 'none' }] as const) {
      expect(whyNoTrial(subscriptionWith(change))).toBeDefined();
      expect(whyNoBeta(subscriptionWith(change))).toBeDefined();
    }
  });

  it('ends a trial at the end of a day, from tomorrow to a year ahead', () => {
    const zone = 'Europe/Lisbon';
    const days = trialDaysAt(NOW, { trialEndsAt: MAY_11 }, { zone, isSandbox: false });
    expect(days).toEqual({ first: '2026-05-02', last: '2027-04-30', suggested: '2026-05-21' });
    expect(trialDaysAt(NOW, { trialEndsAt: 1 }, { zone, isSandbox: true })).toMatchObject({ first: '2026-04-30', suggested: '2026-05-11' });
    expect(endOfTrialDay('2026-05-21', days, zone)).toBe(Date.UTC(2026, 4, 21, 23) - 1);
    for (const wrong of ['', '2026-05-01', '2027-05-01', '2026-02-30']) expect(endOfTrialDay(wrong, days, zone)).toBeUndefined();
  });

  it('is filtered by the address', () => {
    expect(readSubscriptionsSearch({ q: ' harbor ', standing: 'due' })).toEqual({ q: 'harbor', standing: 'due' });
    expect(readSubscriptionsSearch({ q: ' ', standing: 'all' })).toEqual({ q: undefined, standing: undefined });
    expect(readSubscriptionsSearch({ q: {}, standing: 'rich' })).toEqual({ q: undefined, standing: undefined });
  });
});
