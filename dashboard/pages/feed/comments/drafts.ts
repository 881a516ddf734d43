import { create } from 'zustand';
import { randomAlphanumeric } from '#contract/core/ids.ts';
import { useSession } from '../../../session/session.ts';

/** A comment that the server has not accepted yet. */
export interface UnsentComment {
  /** Its name, so that trying again makes no second one. */
  readonly key: string;
  readonly feedbackId: string;
  /** As it is stored: with ids in place of names. */
  readonly text: string;
}

interface Drafts {
  /** What is typed and not sent, by the feedback that it is about. */
  readonly typed: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly unsent: readonly UnsentComment[];
}

const NONE: Drafts = { typed: {}, unsent: [] };

/** What was written and not stored, for as long as the page lives: never on the device (docs/rules.md#kept-on-the-device). */
const useDrafts = create<Drafts>()(() => NONE);

// Nothing of it is for the next person at the machine.
useSession.subscribe(({ userId }, before) => {
  if (userId !== before.userId) useDrafts.setState(NONE);
});

export const useTyped = (feedbackId: string): string => useDrafts(({ typed }) => typed[feedbackId] ?? '');

export function setTyped(feedbackId: string, text: string): void {
  useDrafts.setState(({ typed }) => ({ typed: { ...typed, [feedbackId]: text } }));
}

export const useUnsent = (): readonly UnsentComment[] => useDrafts(({ unsent }) => unsent);

const KEY_LENGTH = 24;

/** Takes a comment on, to be sent. */
export function addUnsent(comment: Omit<UnsentComment, 'key'>): void {
  const key = randomAlphanumeric(KEY_LENGTH, (size) => crypto.getRandomValues(new Uint8Array(size)));
  useDrafts.setState(({ unsent }) => ({ unsent: [{ key, ...comment }, ...unsent] }));
}

export function dropUnsent(key: string): void {
  useDrafts.setState(({ unsent }) => ({ unsent: unsent.filter((each) => each.key !== key) }));
}
