import { MESSAGES } from '#contract/core/schema.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import type { MailedLink } from '../../session/link.ts';
import type { NextStep } from '../../session/pool-actions.ts';
import { emailProblem } from '../../ui/forms/validation.ts';

/** Messages about the step that led to sign-in. */
const NEWS = translatable({
  reset: 'Password changed. Sign in with the new one.',
  confirmed: 'Email confirmed. Sign in to continue.',
  joined: 'You’ve joined. Sign in to continue.',
});

/** A sign-in view as stored in the browser history, for Back and reloads. Never contains a password. */
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

/** The current sign-in view and the typed input (docs/rules.md#sign-in-views). */
export interface SignInState {
  readonly at: 'login' | 'forgot' | 'reset' | 'verify' | 'totp';
  readonly email: string;
  /** The password, in memory until the sign-in is complete, so that it needs to be typed only once. */
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

/** Returns the next state: login → verify, login → forgot → reset → login. An emailed code goes straight to reset. */
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
      return stateAt(state, next.place ?? { at: 'login', email });
    case 'totp':
      return { at: 'totp', email, password: '' };
  }
}

/** Returns the state of a view in the history, with the input that still applies. The app's code is asked for only while the pool expects one. */
function stateAt(state: SignInState, place: SignInPlace): SignInState {
  if (place.at === state.at) return place.email === state.email ? state : { ...place, password: '' };
  if (place.at === 'totp') return { at: 'login', email: place.email, password: '' };
  return { ...place, password: place.email === state.email && place.at !== 'reset' ? state.password : '' };
}

/** Returns the view to store in the history. */
export const placeOf = ({ at, email, news }: SignInState): SignInPlace => ({ at, email, ...(news && { news }) });

export const noticeOf = ({ news }: SignInState): string | undefined => news && t(NEWS[news]);

/** The typed input. */
export interface LoginDraft {
  readonly email: string;
  readonly password: string;
  /** An error is showing beside the email. */
  readonly isWrong: boolean;
  /** The last attempt was refused, and nothing has changed since. */
  readonly isRefused: boolean;
}

/** Returns why 'Sign in' is disabled, if it is (docs/rules.md#sign-in-views). */
export function missingOf({ email, password, isWrong, isRefused }: LoginDraft): string | undefined {
  if (isWrong && emailProblem(email)) return translatedMessage(MESSAGES.highlighted);
  if (email === '' && password === '') return t('Enter your email and password to sign in.');
  if (email === '') return t('Enter your email to sign in.');
  if (password === '') return t('Enter your password to sign in.');
  return isRefused ? t('Change your email or password to try again.') : undefined;
}
