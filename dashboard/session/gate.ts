import type { Account } from '#contract/account.ts';
import { isSubscriptionFine } from '#contract/billing.ts';
import { paths } from '../paths.ts';

/** What is known about whoever sits in front of the screen (SPEC §4). */
export type Stage = 'start' | 'authenticated' | 'unauthenticated' | 'unreachable';

export interface GateState {
  readonly stage: Stage;
  /** Undefined until it is loaded. */
  readonly account: Account | undefined;
  /** The user's record was looked up and is not there. */
  readonly isUserMissing: boolean;
}

export type Verdict =
  /** Nothing is known yet: the frame's skeleton, never a flash of sign-in. */
  { readonly show: 'wait' } | { readonly show: 'page' | 'sign-in' | 'sign-up' | 'unreachable' } | { readonly go: string };

/** Reachable whatever the subscription says. */
const ALWAYS_OPEN = ['/pay'];

/** Which screen a person gets at an address. */
export function gate({ stage, account, isUserMissing }: GateState, path: string): Verdict {
  if (stage === 'start') return { show: 'wait' };
  if (stage === 'unreachable') return { show: 'unreachable' };
  if (stage === 'unauthenticated') return { show: path === paths.signUp ? 'sign-up' : 'sign-in' };
  if (isUserMissing) return path === paths.signUp ? { show: 'sign-up' } : { go: paths.signUp };
  if (!account) return { show: 'wait' };
  if (ALWAYS_OPEN.includes(path)) return { show: 'page' };
  if (!isSubscriptionFine(account.data.subscription)) return path === paths.signUp ? { show: 'sign-up' } : { go: paths.signUp };
  return path === paths.signUp ? { go: paths.feed } : { show: 'page' };
}
