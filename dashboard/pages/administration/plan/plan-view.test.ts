import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing/billing.ts';
import { DAY } from '#contract/core/time.ts';
import { planViewOf } from './plan-view.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const viewOf = (subscription: Partial<Subscription>, now = NOW) =>
  planViewOf({ plan: 'Pro', paymentFrequency: 'Annual', status: 'active', phase: 'paid', ...subscription }, now);

describe('the plan panel', () => {
  it('shows a free plan without actions', () => {
    expect(viewOf({ plan: 'Beta', phase: 'none' })).toEqual({
      title: 'Your plan is free.',
      lead: 'Beta is free and never ends.',
      actions: [],
    });
  });

  it('shows the days left in a trial, and sells a plan charged at its end', () => {
    const trial = { phase: 'trial', trialEndsAt: NOW + 11.4 * DAY } as const;
    expect(viewOf(trial)).toMatchObject({ title: 'Free trial: 12 days left', buying: { chargedFrom: trial.trialEndsAt } });
    expect(viewOf(trial).lead).toContain('nothing is charged before then');
    expect(viewOf(trial, NOW + 10 * DAY).title).toBe('Free trial: 2 days left');
    const lastDay = viewOf(trial, trial.trialEndsAt - DAY / 4);
    expect(lastDay).toMatchObject({ title: 'Free trial: ends today', buying: { chargedFrom: 'now' } });
    expect(lastDay.lead).toContain('charged right away');
  });

  it('shows that a trial has ended as soon as it does, and sells a plan charged at once', () => {
    const over = { title: 'Your free trial has ended.', isBad: true, buying: { chargedFrom: 'now' } };
    expect(viewOf({ phase: 'ended', trialEndsAt: NOW - 1 })).toMatchObject(over);
    expect(viewOf({ phase: 'trial', trialEndsAt: NOW })).toMatchObject(over);
  });

  it('lets a paid plan be changed and canceled, also during the provider’s trial', () => {
    const payment = { nextBilledAt: Date.UTC(2026, 4, 11, 12) };
    const paid = viewOf({ payment });
    expect(paid).toMatchObject({ title: 'Your plan is paid.', lead: 'The next bill comes on 11 May 2026.', changing: {} });
    expect(paid.actions).toEqual(['card', 'portal']);
    expect(paid.cancelMeans).toContain('Everything works until 11 May 2026');
    const trial = viewOf({ status: 'trial', phase: 'trial', trialEndsAt: payment.nextBilledAt, payment });
    expect(trial).toMatchObject({ title: 'Free trial: 10 days left', changing: {} });
    expect(trial.lead).toBe('Payment is set up. The first bill comes on 11 May 2026.');
    for (const view of [paid, trial]) expect(view.buying).toBeUndefined();
  });

  it('lets a canceled plan be kept, but not changed', () => {
    const ending = viewOf({ payment: { nextBilledAt: NOW + 9 * DAY, cancelAt: Date.UTC(2026, 4, 11, 12) } });
    expect(ending).toMatchObject({ title: 'Your subscription ends on 11 May 2026.', actions: ['keep', 'portal'] });
    expect(ending.cancelMeans).toBeUndefined();
    expect(ending.changing?.blocked).toBe('Keep the subscription to change the plan.');
    expect(ending.lead).toContain('Everything works until then');
  });

  it('puts a failed payment first, and ends the grace period on time', () => {
    const due = { status: 'past_due', phase: 'grace', payment: { graceEndsAt: NOW + DAY } } as const;
    expect(viewOf(due)).toMatchObject({ title: 'A payment failed.', isBad: true, actions: ['pay', 'portal'] });
    expect(viewOf(due).lead).toContain('Everything works until 2 May 2026.');
    expect(viewOf(due).changing?.blocked).toBeDefined();
    for (const over of [viewOf(due, NOW + DAY), viewOf({ ...due, phase: 'ended' })]) expect(over.lead).toContain('Until it’s paid');
    expect(viewOf({ ...due, payment: { ...due.payment, cancelAt: NOW + DAY } })).toMatchObject({ actions: ['pay', 'keep', 'portal'] });
  });

  it('lets a paused plan resume', () => {
    expect(viewOf({ status: 'paused', phase: 'ended', payment: {} })).toMatchObject({
      title: 'Your subscription is paused.',
      actions: ['resume', 'card', 'portal'],
      cancelMeans: expect.stringContaining('It ends immediately.'),
    });
  });

  it('sells a plan charged at once after the last one ended', () => {
    const ended = viewOf({ status: 'cancelled', phase: 'ended', endedAt: Date.UTC(2026, 3, 11, 12), trialEndsAt: 1 });
    expect(ended).toMatchObject({ title: 'Your subscription ended on 11 Apr 2026.', buying: { chargedFrom: 'now' } });
    expect(ended.changing).toBeUndefined();
  });

  it('never sells a plan beside a running subscription', () => {
    for (const status of ['trial', 'active', 'past_due', 'paused'] as const)
      for (const phase of ['trial', 'paid', 'grace', 'ended'] as const)
        expect(viewOf({ status, phase, trialEndsAt: NOW + DAY, payment: {} }).buying).toBeUndefined();
  });
});
