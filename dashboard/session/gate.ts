import type { Account } from '#contract/account/account.ts';
import { isSubscriptionFine } from '#contract/billing/billing.ts';
import { OPERATOR_PATHS, paths } from '../paths.ts';
import type { MailedLink } from './link.ts';

/** The stages of signing in (docs/rules.md#gate). */
export type Stage = 'start' | 'authenticated' | 'unauthenticated' | 'unreachable';

export interface GateState {
  readonly stage: Stage;
  /** Undefined until it is loaded. */
  readonly account: Account | undefined;
  /** The user's record doesn't exist. */
  readonly isUserMissing: boolean;
  /** The person exists in the pool but not in the product. */
  readonly isStranger: boolean;
  /** The account is deleted, and can be restored. */
  readonly isDeleted: boolean;
  /** The settings list the person as an operator, who needs no team. */
  readonly isOperator: boolean;
  /** The emailed link that opened the page; it takes precedence. */
  readonly link: MailedLink['to'] | undefined;
}

type Verdict =
  /** Still loading: shows the frame's skeleton, never a flash of sign-in. */
  | { readonly show: 'wait' }
  | { readonly show: 'page' | 'operator' | 'unreachable' | 'no-account' | 'deleted' }
  | { readonly show: 'sign-in' | 'sign-up' | 'invitation' | 'confirmation' | 'keep-two-step' | 'not-me' }
  | { readonly go: string };

/** Pages that don't depend on the subscription. */
const ALWAYS_OPEN: readonly string[] = [paths.pay];

const FOR_LINK = {
  reset: { show: 'sign-in' },
  invite: { show: 'invitation' },
  verify: { show: 'confirmation' },
  'keep-two-step': { show: 'keep-two-step' },
  'not-me': { show: 'not-me' },
} as const;

/** Returns the screen for a person at an address, or where to redirect. */
export function gate(state: GateState, path: string): Verdict {
  const { stage, account, isUserMissing, isStranger, isDeleted, isOperator, link } = state;
  const isSignUp = path === paths.signUp;
  // Sign-out must not redirect to sign-up while the router is still navigating.
  const staysThere = isSignUp || path === paths.signOut;
  if (link) return FOR_LINK[link];
  if (stage === 'start') return { show: 'wait' };
  if (stage === 'unreachable') return { show: 'unreachable' };
  if (stage === 'unauthenticated') return { show: isSignUp ? 'sign-up' : 'sign-in' };
  if (isDeleted) return { show: 'deleted' };
  if (isStranger && isOperator) return withoutTeam(path);
  if (isStranger) return staysThere ? { show: 'no-account' } : { go: paths.signUp };
  if (isUserMissing) return staysThere ? { show: 'sign-up' } : { go: paths.signUp };
  // The sign-up panel stays between two of its steps.
  if (!account) return { show: isSignUp ? 'sign-up' : 'wait' };
  if (ALWAYS_OPEN.includes(path)) return { show: 'page' };
  if (!isSubscriptionFine(account.data.subscription)) return staysThere ? { show: 'sign-up' } : { go: paths.signUp };
  return isSignUp ? { go: paths.feed } : { show: 'page' };
}

/** Limits an operator without a team to the operator's pages and a profile. */
const withoutTeam = (path: string): Verdict => (OPERATOR_PAGES.includes(path) ? { show: 'operator' } : { go: paths.operatorAccounts });

const OPERATOR_PAGES: readonly string[] = [...OPERATOR_PATHS, paths.profile];
