import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/account/account.ts';
import type { Subscription } from '#contract/billing/billing.ts';
import { type GateState, gate, type Stage } from './gate.ts';

const accountWith = (subscription: Partial<Subscription>): Account => ({
  id: 'ACCOUNT_HarborCoffee',
  sk: 'ACCOUNT',
  gs1sk: '0',
  data: { created: 0, displayName: 'Harbor Coffee', subscription: { status: 'inactive', phase: 'none', ...subscription } },
});

/** Accounts that open the dashboard; read-only after a subscription has ended. */
const READY = (['active', 'trial', 'past_due', 'paused', 'cancelled'] as const).map((status) => accountWith({ status, plan: 'Pro' }));
/** Accounts without a plan or with an unfinished sign-up (docs/rules.md#gate). */
const NOT_READY = [accountWith({}), accountWith({ plan: 'Pro' }), accountWith({ status: 'active' }), accountWith({ status: 'trial' })];
const PAGES = ['/', '/urgent', '/properties/pier-4/feedback', '/account/administration', '/master/accounts', '/nowhere', '/signup/more'];
const STAGES: readonly Stage[] = ['start', 'unreachable', 'unauthenticated', 'authenticated'];

/** Signed in to a ready account, without an emailed link. */
const SIGNED_IN: GateState = {
  stage: 'authenticated',
  account: READY[0],
  isUserMissing: false,
  isStranger: false,
  isDeleted: false,
  isOperator: false,
  link: undefined,
};
const at = (path: string, state: Partial<GateState>) => gate({ ...SIGNED_IN, ...state }, path);

describe('the gate', () => {
  it('waits while the session is checked', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      expect(at(path, { stage: 'start', account: undefined }), path).toEqual({ show: 'wait' });
  });

  it('shows an offline screen, not sign-in, if the server can’t be reached', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      expect(at(path, { stage: 'unreachable', account: undefined }), path).toEqual({ show: 'unreachable' });
  });

  it('shows sign-up at its address and sign-in everywhere else while signed out', () => {
    const signedOut = { stage: 'unauthenticated', account: undefined } as const;
    expect(at('/signup', signedOut)).toEqual({ show: 'sign-up' });
    for (const path of [...PAGES, '/pay']) expect(at(path, signedOut), path).toEqual({ show: 'sign-in' });
  });

  it('gives an operator without a team only the operator’s pages and a profile', () => {
    const operator = { account: undefined, isStranger: true, isOperator: true } as const;
    for (const path of [
      '/master/accounts',
      '/master/users',
      '/master/messages',
      '/master/mails',
      '/master/subscriptions',
      '/master/log',
      '/profile',
    ])
      expect(at(path, operator), path).toEqual({ show: 'operator' });
    for (const path of ['/', '/signup', '/urgent', '/pay']) expect(at(path, operator), path).toEqual({ go: '/master/accounts' });
    expect(at('/master/accounts', { ...operator, isOperator: false })).toEqual({ go: '/signup' });
  });

  it('opens every page after sign-up, and redirects from sign-up', () => {
    for (const account of READY) {
      for (const path of [...PAGES, '/pay']) expect(at(path, { account }), path).toEqual({ show: 'page' });
      expect(at('/signup', { account })).toEqual({ go: '/' });
    }
  });

  it('sends someone whose account isn’t set up to sign-up', () => {
    for (const account of NOT_READY) {
      for (const path of PAGES) expect(at(path, { account }), path).toEqual({ go: '/signup' });
      expect(at('/signup', { account })).toEqual({ show: 'sign-up' });
    }
  });

  it('opens the payment page for every account', () => {
    for (const account of NOT_READY) expect(at('/pay', { account })).toEqual({ show: 'page' });
  });

  it('sends someone without a user record to sign-up', () => {
    const missing = { account: undefined, isUserMissing: true };
    for (const path of [...PAGES, '/pay']) expect(at(path, missing), path).toEqual({ go: '/signup' });
    expect(at('/signup', missing)).toEqual({ show: 'sign-up' });
  });

  it('shows "no account" to someone who exists only in the pool', () => {
    const stranger = { account: undefined, isStranger: true };
    for (const path of [...PAGES, '/pay']) expect(at(path, stranger), path).toEqual({ go: '/signup' });
    expect(at('/signup', stranger)).toEqual({ show: 'no-account' });
    expect(at('/', { ...stranger, stage: 'unauthenticated' })).toEqual({ show: 'sign-in' });
  });

  it('never redirects from sign-out', () => {
    for (const state of [{ account: undefined, isStranger: true }, { account: undefined, isUserMissing: true }, { account: NOT_READY[0] }])
      expect(at('/signout', state)).not.toHaveProperty('go');
  });

  it('shows a deleted account’s people that it’s deleted, on every page', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      for (const account of [undefined, READY[0]]) expect(at(path, { account, isDeleted: true }), path).toEqual({ show: 'deleted' });
    expect(at('/', { stage: 'unauthenticated', isDeleted: true })).toEqual({ show: 'sign-in' });
  });

  it('waits while the account loads, except on sign-up', () => {
    for (const path of [...PAGES, '/pay']) expect(at(path, { account: undefined }), path).toEqual({ show: 'wait' });
    expect(at('/signup', { account: undefined })).toEqual({ show: 'sign-up' });
  });

  it('gives an emailed link precedence', () => {
    for (const stage of STAGES)
      for (const path of [...PAGES, '/signup', '/pay']) {
        expect(at(path, { stage, link: 'reset' }), `${stage} at ${path}`).toEqual({ show: 'sign-in' });
        expect(at(path, { stage, link: 'invite' }), `${stage} at ${path}`).toEqual({ show: 'invitation' });
        expect(at(path, { stage, link: 'verify' }), `${stage} at ${path}`).toEqual({ show: 'confirmation' });
      }
  });

  it('never redirects twice', () => {
    for (const account of [undefined, ...READY, ...NOT_READY])
      for (const stage of STAGES)
        for (const isUserMissing of [false, true])
          for (const path of [...PAGES, '/signup', '/pay']) {
            const verdict = at(path, { account, stage, isUserMissing });
            if ('go' in verdict) expect(at(verdict.go, { account, stage, isUserMissing })).not.toHaveProperty('go');
          }
  });
});
