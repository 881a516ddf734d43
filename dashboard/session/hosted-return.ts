import { create } from 'zustand';
import { inTab } from '../data/storage.ts';

/* Hosted login leaves this page, and comes back to it: what is kept of the one way, and read of the other. */

/** For an answer that nobody here waits for. */
export const NOT_BEGUN_HERE = 'That sign-in started in another browser or has expired. Please try again.';

const PLACE = 'afterword.hosted';

interface HostedReturn {
  /** Why the sign-in that came back did not work; undefined when there is nothing to say. */
  readonly failure: string | undefined;
}

export const useHostedReturn = create<HostedReturn>()(() => ({ failure: undefined }));

/** What the hosted login answered in the address. */
export interface HostedAnswer {
  /** Tokens come behind the '#', a code and most refusals before it. */
  readonly kind: 'code' | 'token';
  /** Why nobody is signed in, in the pool's words. */
  readonly refused: string | undefined;
}

/** `?code=…&state=…`, `#access_token=…&state=…`, or `error` and `error_description` in either place; undefined for any other address. */
export function readAnswer({ search, hash }: Pick<Location, 'search' | 'hash'>): HostedAnswer | undefined {
  const [query, fragment] = [new URLSearchParams(search), new URLSearchParams(hash.replace(/^#/, ''))];
  if (!query.has('state') && !fragment.has('state')) return undefined;
  const refused = [query, fragment].map((given) => given.get('error_description') ?? given.get('error')).find((text) => text !== null);
  if (fragment.has('access_token') || fragment.has('error')) return { kind: 'token', refused };
  return query.has('code') || query.has('error') ? { kind: 'code', refused } : undefined;
}

/** Keeps, in this tab alone, where the person wants to go once they are signed in. */
export const rememberPlace = (): void => inTab.setItem(PLACE, location.href);

/** Whether this tab went out to sign in, or is opened by an answer. Another tab's sign-in is none of its business. */
export const isReturn = (): boolean => inTab.getItem(PLACE) !== null || readAnswer(location) !== undefined;

/** Leads to where the person wanted to go, and leaves nothing of the answer in the address bar and the history. */
export function leaveReturn(failure?: string): void {
  const place = inTab.getItem(PLACE) ?? location.origin;
  inTab.removeItem(PLACE);
  if (failure !== undefined) useHostedReturn.setState({ failure });
  history.replaceState(history.state, '', place);
}

export const clearFailure = (): void => useHostedReturn.setState({ failure: undefined });
