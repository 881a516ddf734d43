import type { Account } from '#contract/account.ts';
import { isSubscriptionFine } from '#contract/billing.ts';
import { paths } from '../paths.ts';
import type { MailedLink } from './link.ts';

/** The stages of signing in (docs/rules.md#gate). */
export type Stage = 'start' | 'authenticated' | 'unauthenticated' | 'unreachable';

export interface GateState {
  readonly stage: Stage;
  /** Undefined until it is loaded. */
  readonly account: Account | undefined;
  /** The user's record was looked up and is not there. */
  readonly isUserMissing: boolean;
  /** The pool knows the person, and the product does not. */
  readonly isStranger: boolean;
  /** The mailed link that the page was opened by; it comes first. */
  readonly link: MailedLink['to'] | undefined;
}

export type Verdict =
  /** Nothing is known yet: the frame's skeleton, never a flash of sign-in. */
  | { readonly show: 'wait' }
  | { readonly show: 'page' | 'sign-in' | 'sign-up' | 'invitation' | 'unreachable' | 'no-account' }
  | { readonly go: string };

/** Pages that are open whatever the subscription says. */
const ALWAYS_OPEN = ['/pay'];

const FOR_LINK = { reset: { show: 'sign-in' }, invite: { show: 'invitation' } } as const;

/** Which screen a person gets at an address. */
export function gate({ stage, account, isUserMissing, isStranger, link }: GateState, path: string): Verdict {
  const isSignUp = path === paths.signUp;
  if (link) return FOR_LINK[link];
  if (stage === 'start') return { show: 'wait' };
  if (stage === 'unreachable') return { show: 'unreachable' };
  if (stage === 'unauthenticated') return { show: isSignUp ? 'sign-up' : 'sign-in' };
  if (isStranger) return { show: 'no-account' };
  if (isUserMissing) return isSignUp ? { show: 'sign-up' } : { go: paths.signUp };
  // Between two steps of signing up their panel stays.
  if (!account) return { show: isSignUp ? 'sign-up' : 'wait' };
  if (ALWAYS_OPEN.includes(path)) return { show: 'page' };
  if (!isSubscriptionFine(account.data.subscription)) return isSignUp ? { show: 'sign-up' } : { go: paths.signUp };
  return isSignUp ? { go: paths.feed } : { show: 'page' };
}
