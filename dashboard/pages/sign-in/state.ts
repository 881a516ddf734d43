import { MESSAGES } from '#contract/core/schema.ts';
import type { NextStep } from '../../session/auth.ts';
import type { MailedLink } from '../../session/link.ts';
import { emailProblem } from '../../ui/forms/validation.ts';

/** Why signing in begins, where that is good news. */
const NEWS = {
  reset: 'Password changed. Sign in with the new one.',
  confirmed: 'Email confirmed. Sign in to continue.',
  joined: 'You’ve joined. Sign in to continue.',
} as const;

/** A view of signing in as the history keeps it: Back and a reload lead to it. Never a password. */
export interface SignInPlace {
  readonly at: SignInState['at'];
  readonly email: string;
  readonly news?: keyof typeof NEWS;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    signIn?: SignInPlace;
  }
}

/** Which view of signing in is shown, and what was typed so far (docs/rules.md#sign-in-views). */
export interface SignInState {
  readonly at: 'login' | 'forgot' | 'reset' | 'verify' | 'totp';
  readonly email: string;
  /** The password, in memory until the sign-in is complete, so that it is typed once. */
  readonly password: string;
  readonly linkCode?: string | undefined;
  readonly news?: keyof typeof NEWS;
}

export type Transition =
  | { readonly to: 'typed'; readonly email?: string; readonly password?: string }
  | { readonly to: 'login' | 'forgot' | 'code requested' | 'password reset' }
  | { readonly to: 'place'; readonly place: SignInPlace | undefined }
  | { readonly to: Exclude<NextStep, 'done'> }
  | { readonly to: 'link'; readonly link: Extract<MailedLink, { to: 'reset' }> };

export const INITIAL: SignInState = { at: 'login', email: '', password: '' };

/** What follows: login → verify, login → forgot → reset → login; a mailed code goes straight to reset. */
export function signInReducer(state: SignInState, next: Transition): SignInState {
  const { email, password } = state;
  switch (next.to) {
    case 'typed':
      return { ...state, email: next.email ?? email, password: next.password ?? password };
    case 'login':
      return { at: 'login', email, password };
    case 'forgot':
      return { at: 'forgot', email, password: '' };
    case 'code requested':
    case 'reset':
      return { at: 'reset', email, password: '' };
    case 'link':
      return { at: 'reset', email: next.link.email, password: '', linkCode: next.link.code };
    case 'password reset':
      return { at: 'login', email, password: '', news: 'reset' };
    case 'verify':
      return { at: 'verify', email, password };
    case 'place':
      return arrived(state, next.place ?? { at: 'login', email });
    case 'totp':
      return { at: 'totp', email, password: '' };
  }
}

/** A view that the history leads to, with what is still known of it. An app is asked for a code only while the pool waits for one. */
function arrived(state: SignInState, place: SignInPlace): SignInState {
  if (place.at === state.at) return place.email === state.email ? state : { ...place, password: '' };
  if (place.at === 'totp') return { at: 'login', email: place.email, password: '' };
  return { ...place, password: place.email === state.email && place.at !== 'reset' ? state.password : '' };
}

/** Where the history finds this view again. */
export const placeOf = ({ at, email, news }: SignInState): SignInPlace => ({ at, email, ...(news && { news }) });

export const noticeOf = ({ news }: SignInState): string | undefined => news && NEWS[news];

/** What was typed so far. */
export interface LoginDraft {
  readonly email: string;
  readonly password: string;
  /** An error is showing beside the email. */
  readonly isWrong: boolean;
  /** The last try was refused, and nothing has changed since. */
  readonly isRefused: boolean;
}

/** 'Sign in' is off while a field is empty or an error is showing (docs/rules.md#sign-in-views); this says why. */
export function missingOf({ email, password, isWrong, isRefused }: LoginDraft): string | undefined {
  if (isWrong && emailProblem(email)) return MESSAGES.highlighted;
  if (email === '' && password === '') return 'Enter your email and password to sign in.';
  if (email === '') return 'Enter your email to sign in.';
  if (password === '') return 'Enter your password to sign in.';
  return isRefused ? 'Change your email or password to try again.' : undefined;
}
