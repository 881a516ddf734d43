import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/account.ts';
import type { Subscription } from '#contract/billing.ts';
import { type GateState, gate, type Stage, type Verdict } from './gate.ts';

const accountWith = (subscription: Partial<Subscription>): Account => ({
  id: 'ACCOUNT_HarborCoffee',
  sk: 'ACCOUNT',
  gs1sk: '0',
  data: { created: 0, displayName: 'Harbor Coffee', subscription: { status: 'inactive', phase: 'none', ...subscription } },
});

const ACCOUNTS = {
  unknown: undefined,
  active: accountWith({ status: 'active', plan: 'Pro' }),
  trial: accountWith({ status: 'trial', plan: 'Pro' }),
  'active without a plan': accountWith({ status: 'active' }),
  inactive: accountWith({ status: 'inactive', plan: 'Pro' }),
  'past due': accountWith({ status: 'past_due', plan: 'Pro' }),
  cancelled: accountWith({ status: 'cancelled', plan: 'Pro' }),
} as const;
const FINE = ['active', 'trial'];
const PATHS = ['/', '/urgent', '/properties', '/pay', '/signup', '/nowhere'];
const STAGES: readonly Stage[] = ['start', 'unreachable', 'unauthenticated', 'authenticated'];

/** The table of SPEC §4, written down once more in another way: the first line that fits decides. */
function expected(state: GateState, accountName: string, path: string): Verdict {
  const isSignUp = path === '/signup';
  const lines: readonly (readonly [when: boolean, then: Verdict])[] = [
    [state.link === 'reset', { show: 'sign-in' }],
    [state.link === 'invite', { show: 'invitation' }],
    [state.stage === 'start', { show: 'wait' }],
    [state.stage === 'unreachable', { show: 'unreachable' }],
    [state.stage === 'unauthenticated' && isSignUp, { show: 'sign-up' }],
    [state.stage === 'unauthenticated', { show: 'sign-in' }],
    [state.isUserMissing && isSignUp, { show: 'sign-up' }],
    [state.isUserMissing, { go: '/signup' }],
    [accountName === 'unknown' && isSignUp, { show: 'sign-up' }],
    [accountName === 'unknown', { show: 'wait' }],
    [path === '/pay', { show: 'page' }],
    [!FINE.includes(accountName) && isSignUp, { show: 'sign-up' }],
    [!FINE.includes(accountName), { go: '/signup' }],
    [isSignUp, { go: '/' }],
  ];
  return lines.find(([when]) => when)?.[1] ?? { show: 'page' };
}

const LINKS = [undefined, 'reset', 'invite'] as const;

const CASES = LINKS.flatMap((link) =>
  STAGES.flatMap((stage) =>
    [false, true].flatMap((isUserMissing) =>
      Object.entries(ACCOUNTS).flatMap(([name, account]) => PATHS.map((path) => ({ link, stage, isUserMissing, name, account, path }))),
    ),
  ),
);

describe('the gate', () => {
  it.each(CASES)('$stage, user missing: $isUserMissing, account $name, link $link, at $path', ({ name, path, ...state }) => {
    expect(gate(state, path)).toEqual(expected(state, name, path));
  });

  it('shows sign-in only to whoever is known to be signed out, or brings a reset code', () => {
    const shown = CASES.filter((each) => !each.link).filter((each) => {
      const verdict = gate(each, each.path);
      return 'show' in verdict && verdict.show === 'sign-in';
    });
    expect(new Set(shown.map(({ stage }) => stage))).toEqual(new Set(['unauthenticated']));
  });

  it('never sends anybody in a circle', () => {
    for (const each of CASES) {
      const verdict = gate(each, each.path);
      if ('go' in verdict) expect(gate(each, verdict.go)).not.toHaveProperty('go');
    }
  });
});
