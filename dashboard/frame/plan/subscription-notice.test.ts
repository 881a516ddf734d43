import { describe, expect, it } from 'vitest';
import type { Subscription } from '#contract/billing/billing.ts';
import { DAY } from '#contract/core/time.ts';
import { day } from '../../ui/format/time.ts';
import { changesAt, noticeOf } from './subscription-notice.ts';

const NOW = new Date(2026, 10, 20, 12).getTime();
const ADMIN = { now: NOW, isAdmin: true, admins: 'Dana Moss' };
const PAID = { plan: 'Pro', status: 'active', phase: 'paid', payment: { nextBilledAt: NOW + 9 * DAY } } as const;
const of = (subscription: Partial<Subscription>, reader = ADMIN) => noticeOf({ ...PAID, ...subscription }, reader);
const inTrial = (left: number) => of({ phase: 'trial', payment: undefined, trialEndsAt: NOW + left } as Partial<Subscription>)?.text;

describe('noticeOf', () => {
  it('returns nothing while all is well', () => {
    expect(of({})).toBeUndefined();
    expect(of({ phase: 'none' })).toBeUndefined();
    expect(of({ status: 'trial', phase: 'trial', trialEndsAt: NOW + DAY })).toBeUndefined();
  });

  it('counts the days of a trial, and warns in its last week', () => {
    expect(inTrial(7 * DAY + 1)).toBe('8 days left in your free trial.');
    expect(inTrial(7 * DAY)).toBe('Your free trial ends in 7 days.');
    expect(inTrial(1.5 * DAY)).toBe('Your free trial ends in 2 days.');
    expect(inTrial(0.9 * DAY)).toBe('Your free trial ends tomorrow.');
    expect(inTrial(DAY / 4)).toBe('Your free trial ends today.');
    // The server hasn't reported the end yet.
    expect(inTrial(-1)).toBe('Your free trial ends today.');
  });

  it('states how long everything works after a failed payment, before mentioning a cancellation', () => {
    const payment = { graceEndsAt: NOW + 14 * DAY, cancelAt: NOW + 9 * DAY };
    expect(of({ status: 'past_due', phase: 'grace', payment })).toEqual({
      tone: 'bad',
      text: `A payment failed. Everything works until ${day(payment.graceEndsAt)}.`,
      act: 'update-payment',
    });
  });

  it('states when a canceled subscription ends, in a trial too', () => {
    for (const phase of ['paid', 'trial'] as const)
      expect(of({ phase, payment: { cancelAt: NOW + 9 * DAY } })).toEqual({
        tone: 'warn',
        text: `Your subscription ends on ${day(NOW + 9 * DAY)}.`,
        act: 'keep',
      });
  });

  const ENDED: readonly (readonly [string, Partial<Subscription>, string | undefined])[] = [
    ['Your free trial has ended.', { trialEndsAt: NOW - 1 }, 'choose'],
    ['Your subscription has ended.', { status: 'cancelled', endedAt: NOW - 1 }, 'choose'],
    ['Your payment failed.', { status: 'past_due', payment: { graceEndsAt: NOW - 1 } }, 'update-payment'],
    ['Your subscription is paused.', { status: 'paused' }, 'resume'],
  ];
  it.each(ENDED)('says "%s" with an action for admins, and who to ask for everyone else', (heading, subscription, act) => {
    expect(of({ ...subscription, phase: 'ended' })).toMatchObject({ tone: 'bad', heading, act });
    const forMembers = of({ ...subscription, phase: 'ended' }, { ...ADMIN, isAdmin: false });
    expect(forMembers?.act).toBeUndefined();
    expect(forMembers?.text).toMatch(/^Your team can read and export everything, but not make changes\. Ask Dana Moss to /);
  });

  it('returns nothing for non-admins while everything works', () => {
    const member = { ...ADMIN, isAdmin: false };
    expect(of({ phase: 'grace', payment: { graceEndsAt: NOW + DAY } }, member)).toBeUndefined();
    expect(of({ phase: 'paid', payment: { cancelAt: NOW + DAY } }, member)).toBeUndefined();
  });
});

it('returns when a subscription may change', () => {
  expect(changesAt({ ...PAID })).toBeUndefined();
  expect(changesAt({ ...PAID, phase: 'trial', trialEndsAt: NOW + 1 })).toBe(NOW + 1);
  expect(changesAt({ ...PAID, payment: { cancelAt: NOW + 2 } })).toBe(NOW + 2);
  expect(changesAt({ ...PAID, phase: 'grace', payment: { graceEndsAt: NOW + 3, cancelAt: NOW + 4 } })).toBe(NOW + 3);
  expect(changesAt({ ...PAID, phase: 'ended', payment: { graceEndsAt: NOW - 3 } })).toBeUndefined();
});
