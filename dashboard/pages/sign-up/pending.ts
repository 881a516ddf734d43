import { create } from 'zustand';

/** An account that was made and waits for its email to be verified. */
export interface PendingSignUp {
  readonly email: string;
  /** The password, in memory only: after a reload it is typed once more. */
  readonly password: string | undefined;
}

const KEY = 'afterword.sign-up';

/** The tab remembers the email whose code it waits for, so that a refresh comes back to it. Never the password. */
export const usePending = create<{ readonly pending: PendingSignUp | undefined }>()(() => ({ pending: restored() }));

export function setPending(pending: PendingSignUp): void {
  usePending.setState({ pending });
  try {
    sessionStorage.setItem(KEY, pending.email);
  } catch {
    // A browser without storage forgets on a refresh, and the sign-in screen verifies too.
  }
}

export function clearPending(): void {
  usePending.setState({ pending: undefined });
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

function restored(): PendingSignUp | undefined {
  try {
    const email = sessionStorage.getItem(KEY);
    return email ? { email, password: undefined } : undefined;
  } catch {
    return undefined;
  }
}
