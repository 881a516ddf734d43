import { create } from 'zustand';
import { translatable } from '#contract/language/translate.ts';
import { inTab } from '../data/storage.ts';

/* Hosted login leaves this page and returns to it. This file stores the place to return to and reads the answer. */

/** The message for an answer to a sign-in that this browser didn't start. */
export const NOT_BEGUN_HERE = translatable('That sign-in started in another browser or has expired. Please try again.');

const PLACE = 'afterword.hosted';

interface HostedReturn {
  /** Why the sign-in failed; undefined if there is nothing to show. */
  readonly failure: string | undefined;
}

export const useHostedReturn = create<HostedReturn>()(() => ({ failure: undefined }));

/** The hosted login's answer in the address. */
interface HostedAnswer {
  /** Tokens come after the '#', a code and most refusals before it. */
  readonly kind: 'code' | 'token';
  /** The pool's reason for a refusal. */
  readonly refused: string | undefined;
}

/** Reads `?code=…&state=…`, `#access_token=…&state=…`, or `error` and `error_description` in either place; undefined for any other address. */
export function readAnswer({ search, hash }: Pick<Location, 'search' | 'hash'>): HostedAnswer | undefined {
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.replace(/^#/, ''))];
  if (!query.has('state') && !fragment.has('state')) return undefined;
  const refused = [query, fragment].map((params) => params.get('error_description') ?? params.get('error')).find((text) => text !== null);
  if (fragment.has('access_token') || fragment.has('error')) return { kind: 'token', refused };
  return query.has('code') || query.has('error') ? { kind: 'code', refused } : undefined;
}

/** Stores, for this tab only, where to go after signing in. */
export const rememberPlace = (): void => inTab.setItem(PLACE, location.href);

/** Returns whether this tab left to sign in or was opened by an answer. Other tabs' sign-ins don't count. */
export const isReturn = (): boolean => inTab.getItem(PLACE) !== null || readAnswer(location) !== undefined;

/** Restores the place before the hosted login, and removes the answer from the address bar and the history. */
export function leaveReturn(failure?: string): void {
  const place = inTab.getItem(PLACE) ?? location.origin;
  inTab.removeItem(PLACE);
  if (failure !== undefined) useHostedReturn.setState({ failure });
  history.replaceState(history.state, '', place);
}

export const clearFailure = (): void => useHostedReturn.setState({ failure: undefined });
