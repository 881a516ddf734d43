import { create } from 'zustand';
import { DAY } from '#contract/core/time.ts';
import { onDevice, quietly } from '../../data/storage.ts';
import type { AccountDraft } from './account-draft.ts';

/** A created account whose email isn't verified yet. */
export interface PendingSignUp {
  /** The id from the sign-up response. The emailed code and link confirm only this user. */
  readonly userId: string;
  readonly email: string;
  readonly companyName: string;
  readonly displayName: string;
  /** When the code expires (UTC ms). */
  readonly until: number;
}

interface PendingState {
  readonly pending: PendingSignUp | undefined;
  /** The typed input, in memory only: after a reload, the password must be entered again. */
  readonly draft: AccountDraft | undefined;
}

const KEY = 'afterword.sign-up';

/** The pending sign-up, stored in the browser for reloads and other tabs. Never stores the password. */
export const usePending = create<PendingState>()(() => ({ pending: readPending(), draft: undefined }));

export function setPending(userId: string, draft: AccountDraft): void {
  const { email, companyName, displayName } = draft;
  const pending = { userId, email, companyName, displayName, until: Date.now() + DAY };
  usePending.setState({ pending, draft });
  // Without storage a reload forgets it; the sign-in screen can verify the email too.
  onDevice.setItem(KEY, JSON.stringify(pending));
}

/** Returns to the first form, with everything filled in but the email. */
export function changeEmail(): void {
  const { pending, draft } = usePending.getState();
  const { companyName = '', displayName = '' } = pending ?? {};
  clearPending();
  usePending.setState({ draft: { password: '', hasAccepted: false, companyName, displayName, ...draft, email: '' } });
}

export function clearPending(): void {
  usePending.setState({ pending: undefined, draft: undefined });
  onDevice.removeItem(KEY);
}

function readPending(): PendingSignUp | undefined {
  // Written by `setPending`.
  const stored = quietly(() => JSON.parse(onDevice.getItem(KEY) ?? 'null') as PendingSignUp | null);
  return stored && stored.until > Date.now() ? stored : undefined;
}
