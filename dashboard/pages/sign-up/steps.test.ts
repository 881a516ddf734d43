import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/account/account.ts';
import type { Subscription } from '#contract/billing/billing.ts';
import { type SignUpState, stepAt, stepOf, stepsOf } from './steps.ts';

const accountWith = (subscription: Partial<Subscription>): Account => ({
  id: 'ACCOUNT_HarborCoffee',
  sk: 'ACCOUNT',
  gs1sk: '0',
  data: { created: 0, displayName: 'Harbor Coffee', subscription: { status: 'inactive', phase: 'none', ...subscription } },
});
const signedIn = (account: Account | undefined): SignUpState => ({ stage: 'authenticated', account, isUserMissing: false, isBilled: true });

describe('the sign-up step', () => {
  it('is the first without a session or user', () => {
    expect(stepOf({ stage: 'unauthenticated', account: undefined, isUserMissing: false, isBilled: true })).toBe(0);
    expect(stepOf({ stage: 'authenticated', account: undefined, isUserMissing: true, isBilled: true })).toBe(0);
  });

  it('is undefined until the account is loaded', () => {
    expect(stepOf(signedIn(undefined))).toBeUndefined();
  });

  it('follows from the subscription', () => {
    expect(stepOf(signedIn(accountWith({})))).toBe(1);
    expect(stepOf(signedIn(accountWith({ plan: 'Pro' })))).toBe(2);
    expect(stepOf(signedIn(accountWith({ plan: 'Pro', startDate: 1 })))).toBe(3);
  });

  it('skips the plan steps without billing', () => {
    for (const subscription of [{}, { plan: 'Pro' }, { plan: 'Pro', startDate: 1 }] as const)
      expect(stepOf({ ...signedIn(accountWith(subscription)), isBilled: false })).toBe(3);
    expect([stepsOf(false), stepsOf(true)]).toEqual([
      [0, 3],
      [0, 1, 2, 3],
    ]);
  });

  it('follows the history back, but not past the account or to its creation', () => {
    expect([stepAt(2, undefined), stepAt(2, 1), stepAt(3, 2)]).toEqual([2, 1, 2]);
    expect([stepAt(1, 3), stepAt(2, 0), stepAt(0, 2), stepAt(undefined, 1)]).toEqual([1, 2, 0, undefined]);
  });
});
