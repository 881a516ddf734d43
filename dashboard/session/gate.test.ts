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

/** Also where a subscription ended: then the pages are read only. */
const FINE = (['active', 'trial', 'past_due', 'paused', 'cancelled'] as const).map((status) => accountWith({ status, plan: 'Pro' }));
/** Signing up is not finished, or there is no plan (docs/rules.md#gate). */
const NOT_FINE = [accountWith({}), accountWith({ plan: 'Pro' }), accountWith({ status: 'active' }), accountWith({ status: 'trial' })];
const PAGES = ['/', '/urgent', '/properties/pier-4/feedback', '/account/administration', '/master/accounts', '/nowhere', '/signup/more'];
const STAGES: readonly Stage[] = ['start', 'unreachable', 'unauthenticated', 'authenticated'];

/** Signed in, on an account whose subscription is fine, and not by a mailed link. */
const SIGNED_IN: GateState = {
  stage: 'authenticated',
  account: FINE[0],
  isUserMissing: false,
  isStranger: false,
  isDeleted: false,
  isOperator: false,
  link: undefined,
};
const at = (path: string, state: Partial<GateState>) => gate({ ...SIGNED_IN, ...state }, path);

describe('the gate', () => {
  it('shows nothing but a wait while the session is looked up', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      expect(at(path, { stage: 'start', account: undefined }), path).toEqual({ show: 'wait' });
  });

  it('takes nobody for signed out because the server was not reached', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      expect(at(path, { stage: 'unreachable', account: undefined }), path).toEqual({ show: 'unreachable' });
  });

  it('shows a signed-out person sign-up at its address, and sign-in at any other', () => {
    const signedOut = { stage: 'unauthenticated', account: undefined } as const;
    expect(at('/signup', signedOut)).toEqual({ show: 'sign-up' });
    for (const path of [...PAGES, '/pay']) expect(at(path, signedOut), path).toEqual({ show: 'sign-in' });
  });

  it('has the operator’s pages and a profile for an operator who is of no team, and nothing else', () => {
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

  it('opens every page once signing up is finished, and leads away from sign-up', () => {
    for (const account of FINE) {
      for (const path of [...PAGES, '/pay']) expect(at(path, { account }), path).toEqual({ show: 'page' });
      expect(at('/signup', { account })).toEqual({ go: '/' });
    }
  });

  it('sends a person whose account is not set up to sign-up, and keeps them there', () => {
    for (const account of NOT_FINE) {
      for (const path of PAGES) expect(at(path, { account }), path).toEqual({ go: '/signup' });
      expect(at('/signup', { account })).toEqual({ show: 'sign-up' });
    }
  });

  it('lets everybody with an account pay', () => {
    for (const account of NOT_FINE) expect(at('/pay', { account })).toEqual({ show: 'page' });
  });

  it('sends a person without a record to sign-up, and keeps them there', () => {
    const missing = { account: undefined, isUserMissing: true };
    for (const path of [...PAGES, '/pay']) expect(at(path, missing), path).toEqual({ go: '/signup' });
    expect(at('/signup', missing)).toEqual({ show: 'sign-up' });
  });

  it('sends a person whom the pool alone knows to sign-up, and tells them there', () => {
    const stranger = { account: undefined, isStranger: true };
    for (const path of [...PAGES, '/pay']) expect(at(path, stranger), path).toEqual({ go: '/signup' });
    expect(at('/signup', stranger)).toEqual({ show: 'no-account' });
    expect(at('/', { ...stranger, stage: 'unauthenticated' })).toEqual({ show: 'sign-in' });
  });

  it('holds nobody who signs out', () => {
    for (const state of [{ account: undefined, isStranger: true }, { account: undefined, isUserMissing: true }, { account: NOT_FINE[0] }])
      expect(at('/signout', state)).not.toHaveProperty('go');
  });

  it('says wherever they are that the account is deleted, to those of it who are signed in', () => {
    for (const path of [...PAGES, '/signup', '/pay'])
      for (const account of [undefined, FINE[0]]) expect(at(path, { account, isDeleted: true }), path).toEqual({ show: 'deleted' });
    expect(at('/', { stage: 'unauthenticated', isDeleted: true })).toEqual({ show: 'sign-in' });
  });

  it('waits for the account, and leaves sign-up where it is meanwhile', () => {
    for (const path of [...PAGES, '/pay']) expect(at(path, { account: undefined }), path).toEqual({ show: 'wait' });
    expect(at('/signup', { account: undefined })).toEqual({ show: 'sign-up' });
  });

  it('puts a mailed link before everything else', () => {
    for (const stage of STAGES)
      for (const path of [...PAGES, '/signup', '/pay']) {
        expect(at(path, { stage, link: 'reset' }), `${stage} at ${path}`).toEqual({ show: 'sign-in' });
        expect(at(path, { stage, link: 'invite' }), `${stage} at ${path}`).toEqual({ show: 'invitation' });
        expect(at(path, { stage, link: 'verify' }), `${stage} at ${path}`).toEqual({ show: 'confirmation' });
      }
  });

  it('never sends anybody in a circle', () => {
    for (const account of [undefined, ...FINE, ...NOT_FINE])
      for (const stage of STAGES)
        for (const isUserMissing of [false, true])
          for (const path of [...PAGES, '/signup', '/pay']) {
            const verdict = at(path, { account, stage, isUserMissing });
            if ('go' in verdict) expect(at(verdict.go, { account, stage, isUserMissing })).not.toHaveProperty('go');
          }
  });
});
