import { create } from 'zustand';
import { newKey } from '../../../data/idempotency.ts';
import { useSession } from '../../../session/session.ts';

/** A reply that the server has not accepted yet. */
interface ReplyDraft {
  readonly text: string;
  /** The idempotency key, so that a retry doesn't send the text twice. A text that changes after a failure gets a new one. */
  readonly key: string;
  readonly status: 'typed' | 'sending' | 'failed';
}

type ReplyDrafts = Readonly<Record<string, ReplyDraft | undefined>>;

/** Unsent replies by feedback id, in memory only and never stored on the device (docs/rules.md#kept-on-the-device). */
const useReplyDrafts = create<ReplyDrafts>()(() => ({}));

// The next person to use this computer must not see them.
useSession.subscribe(({ userId }, previous) => {
  if (userId !== previous.userId) useReplyDrafts.setState({}, true);
});

const EMPTY: ReplyDraft = { text: '', key: '', status: 'typed' };

export const useReplyDraft = (feedbackId: string): ReplyDraft => useReplyDrafts((drafts) => drafts[feedbackId] ?? EMPTY);

export function typeReply(feedbackId: string, text: string): void {
  const { key, status } = useReplyDrafts.getState()[feedbackId] ?? EMPTY;
  const isNew = key === '' || status === 'failed';
  setDraft(feedbackId, text === '' ? undefined : { text, key: isNew ? newKey() : key, status: 'typed' });
}

/** Sends a draft, and drops it once the server has accepted it. Does nothing while it is being sent. */
export async function sendReply(feedbackId: string, send: (draft: ReplyDraft) => Promise<boolean>): Promise<boolean> {
  const draft = useReplyDrafts.getState()[feedbackId];
  if (!draft || draft.status === 'sending') return false;
  setDraft(feedbackId, { ...draft, status: 'sending' });
  const isSent = await send(draft);
  setDraft(feedbackId, isSent ? undefined : { ...draft, status: 'failed' });
  return isSent;
}

function setDraft(feedbackId: string, draft: ReplyDraft | undefined): void {
  useReplyDrafts.setState({ [feedbackId]: draft });
}
