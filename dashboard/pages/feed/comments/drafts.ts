import { create } from 'zustand';
import { newKey } from '../../../data/idempotency.ts';
import { useSession } from '../../../session/session.ts';

/** A comment that the server has not accepted yet. */
export interface UnsentComment {
  /** The idempotency key, so that a retry doesn't create a second comment. */
  readonly key: string;
  readonly feedbackId: string;
  /** The text as stored, with ids in place of names. */
  readonly text: string;
}

interface Drafts {
  /** Typed text that wasn't submitted, by the id of the feedback, or of the comment that is edited. */
  readonly typed: Readonly<Record<string, string | undefined>>;
  /** Newest first. */
  readonly unsent: readonly UnsentComment[];
}

const NONE: Drafts = { typed: {}, unsent: [] };

/** Unsaved comments, in memory only and never stored on the device (docs/rules.md#kept-on-the-device). */
const useDrafts = create<Drafts>()(() => NONE);

// The next person to use this computer must not see them.
useSession.subscribe(({ userId }, previous) => {
  if (userId !== previous.userId) useDrafts.setState(NONE);
});

export const useTyped = (id: string): string | undefined => useDrafts(({ typed }) => typed[id]);

/** Stores what was typed; undefined forgets it. */
export function setTyped(id: string, text: string | undefined): void {
  useDrafts.setState(({ typed }) => ({ typed: { ...typed, [id]: text } }));
}

export const useUnsent = (): readonly UnsentComment[] => useDrafts(({ unsent }) => unsent);

/** Queues a comment for sending. */
export function addUnsent(comment: Omit<UnsentComment, 'key'>): void {
  useDrafts.setState(({ unsent }) => ({ unsent: [{ key: newKey(), ...comment }, ...unsent] }));
}

export function dropUnsent(key: string): void {
  useDrafts.setState(({ unsent }) => ({ unsent: unsent.filter((each) => each.key !== key) }));
}
