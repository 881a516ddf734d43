import { expect, it } from 'vitest';
import type { Subscription } from '#contract/billing/billing.ts';
import { account } from '#fixtures/business.ts';
import { planFacts } from './plan.ts';

const factsOf = (subscription: Partial<Subscription>) =>
  planFacts({
    ...account,
    data: { ...account.data, subscription: { plan: 'Pro', paymentFrequency: 'Monthly', status: 'active', phase: 'none', ...subscription } },
  });

it('shows no costs or bills for a free plan', () => {
  const shown = Object.entries(factsOf({ billingDate: 11, trialEndsAt: 1 })).filter(([, value]) => value !== undefined);
  expect(shown).toEqual([
    ['Plan', 'Pro'],
    ['Status', 'Free'],
  ]);
});

const MAY_11 = Date.UTC(2026, 4, 11, 12);

it('shows when a trial ends, and no bill until payment is set up', () => {
  const trial = { phase: 'trial', trialEndsAt: MAY_11 } as const;
  expect(factsOf(trial)).toMatchObject({
    Status: 'Free trial until 11 May 2026',
    'Plan cost': '$25/month',
    'Next bill': 'None until payment is set up',
  });
  expect(factsOf({ ...trial, payment: { nextBilledAt: MAY_11 } })['Next bill']).toBe('11 May 2026');
});

it('shows the next bill, as the provider reports it', () => {
  const paid = { phase: 'paid', billingDate: 11 } as const;
  expect(factsOf({ ...paid, payment: { nextBilledAt: MAY_11 } })).toMatchObject({ Status: 'Paid', 'Next bill': '11 May 2026' });
  expect(factsOf({ ...paid, payment: { nextBilledAt: MAY_11, cancelAt: MAY_11 } })).toMatchObject({
    Status: 'Ends on 11 May 2026',
    'Next bill': undefined,
  });
  expect(factsOf(paid)['Next bill']).toBe('Day 11 of the month');
  expect(factsOf({ ...paid, paymentFrequency: 'Annual' })['Next bill']).toBe('Day 11, once a year');
  for (const phase of ['grace', 'ended'] as const) expect(factsOf({ phase, billingDate: 11 })['Next bill']).toBeUndefined();
});

it('shows the status of an unpaid subscription', () => {
  const statusOf = (subscription: Partial<Subscription>) => factsOf(subscription)['Status'];
  expect(statusOf({ phase: 'grace', status: 'past_due', payment: { graceEndsAt: MAY_11 } })).toBe(
    'A payment failed; everything works until 11 May 2026',
  );
  expect(statusOf({ phase: 'ended', status: 'past_due', payment: { graceEndsAt: MAY_11 } })).toBe('A payment failed');
  expect(statusOf({ phase: 'ended', status: 'paused', payment: {} })).toBe('Paused');
  expect(statusOf({ phase: 'ended', trialEndsAt: MAY_11 })).toBe('Free trial ended on 11 May 2026');
  expect(statusOf({ phase: 'ended', status: 'cancelled', endedAt: MAY_11, trialEndsAt: 1 })).toBe('Ended on 11 May 2026');
});
