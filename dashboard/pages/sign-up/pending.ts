import { create } from 'zustand';
import { DAY } from '#contract/core/time.ts';
import { onDevice, quietly } from '../../data/storage.ts';
import type { AccountDraft } from './create.ts';

/** An account that was made and waits for its email to be verified. */
export interface PendingSignUp {
  /** What the sign-up was answered with: its code and its link confirm this one and no other. */
  readonly userId: string;
  readonly email: string;
  readonly companyName: string;
  readonly displayName: string;
  /** When the code ends (UTC ms). */
  readonly until: number;
}

interface PendingState {
  readonly pending: PendingSignUp | undefined;
  /** What was typed, in memory only: after a reload the password is typed once more. */
  readonly draft: AccountDraft | undefined;
}

const KEY = 'afterword.sign-up';

/** This browser remembers what it waits for, so that a reload and another tab come back to it. Never the password. */
export const usePending = create<PendingState>()(() => ({ pending: restored(), draft: undefined }));

export function setPending(userId: string, draft: AccountDraft): void {
  const { email, companyName, displayName } = draft;
  const pending = { userId, email, companyName, displayName, until: Date.now() + DAY };
  usePending.setState({ pending, draft });
  // A browser without storage forgets on a reload, and the sign-in screen verifies too.
  onDevice.setItem(KEY, JSON.stringify(pending));
}

/** Goes back to the first form, with what was typed but for the email. */
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

function restored(): PendingSignUp | undefined {
  // Written by `setPending`.
  const kept = quietly(() => JSON.parse(onDevice.getItem(KEY) ?? 'null') as PendingSignUp | null);
  return kept && kept.until > Date.now() ? kept : undefined;
}
