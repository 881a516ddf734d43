import { MESSAGES } from '#contract/schema.ts';
import type { NextStep } from '../../session/auth.ts';
import type { MailedLink } from '../../session/link.ts';
import { emailProblem } from '../../ui/validation.ts';

/** Which view of signing in is shown, and what was typed so far (docs/rules.md#sign-in-views). */
export interface SignInState {
  readonly at: 'login' | 'forgot' | 'reset' | 'verify' | 'totp';
  readonly email: string;
  /** The password, in memory until the sign-in is complete, so that it is typed once. */
  readonly password: string;
  readonly linkCode?: string | undefined;
  /** Good news for the next view. */
  readonly notice?: string | undefined;
}

export type Transition =
  | { readonly to: 'typed'; readonly email?: string; readonly password?: string }
  | { readonly to: 'login' | 'forgot' | 'code requested' | 'password reset' | 'email verified' }
  | { readonly to: Exclude<NextStep, 'done'> }
  | { readonly to: 'link'; readonly link: Extract<MailedLink, { to: 'reset' }> };

export const INITIAL: SignInState = { at: 'login', email: '', password: '' };

/** What follows: login → verify → login, login → forgot → reset → login; a mailed code goes straight to reset. */
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
      return { at: 'login', email, password: '', notice: 'Your password is changed. Sign in with the new one.' };
    case 'verify':
      return { at: 'verify', email, password };
    case 'email verified':
      return { at: 'login', email, password, notice: 'Your email is verified. Sign in to go on.' };
    case 'totp':
      return { at: 'totp', email, password: '' };
  }
}

/** What was typed so far. */
export interface LoginDraft {
  readonly email: string;
  readonly password: string;
  /** An error is showing beside the email. */
  readonly isWrong: boolean;
}

/** 'Sign in' is off while a field is empty or an error is showing (docs/rules.md#sign-in-views); this says why. */
export function missingOf({ email, password, isWrong }: LoginDraft): string | undefined {
  if (isWrong && emailProblem(email)) return MESSAGES.highlighted;
  if (email === '' && password === '') return 'Enter your email and password to sign in.';
  if (email === '') return 'Enter your email to sign in.';
  if (password === '') return 'Enter your password to sign in.';
  return undefined;
}
