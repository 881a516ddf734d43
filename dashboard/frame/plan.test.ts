import { expect, it } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import { account } from '#fixtures/business.ts';
import { planFacts } from './plan.ts';

const factsOf = (subscription: Partial<Subscription>) =>
  planFacts({
    ...account,
    data: { ...account.data, subscription: { plan: 'Pro', paymentFrequency: 'Monthly', status: 'active', phase: 'none', ...subscription } },
  });

it('says nothing of costs and bills where nobody pays', () => {
  const shown = Object.entries(factsOf({ billingDate: 11, trialEndsAt: 1 })).filter(([, value]) => value !== undefined);
  expect(shown).toEqual([
    ['Plan', 'Pro'],
    ['Status', 'Nothing is to be paid'],
  ]);
});

it('says until when a trial lasts, and when the next bill comes', () => {
  const trialEndsAt = Date.UTC(2026, 4, 11, 12);
  expect(factsOf({ phase: 'trial', trialEndsAt })).toMatchObject({
    Status: 'Free trial until 11 May 2026',
    'Plan cost': '$25/month',
    'Next bill': '11 May 2026',
  });
  expect(factsOf({ phase: 'paid', billingDate: 11 })).toMatchObject({ Status: 'Paid', 'Next bill': 'Day 11 of the month' });
  expect(factsOf({ phase: 'paid', billingDate: 11, paymentFrequency: 'Annual' })['Next bill']).toBe('Day 11, once a year');
  for (const phase of ['grace', 'ended'] as const) expect(factsOf({ phase, billingDate: 11 })['Next bill']).toBeUndefined();
});
