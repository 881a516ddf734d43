import { MOST_ALERTS } from '#contract/alert/alert.ts';
import { HOUR } from '#contract/core/time.ts';

/** The mails about urgent feedback that one person was sent recently. All times are UTC ms. */
export interface MailHistory {
  /** When mails were sent in the last hour, oldest first. */
  readonly recent: readonly number[];
  /** When the digest of alerts beyond the limit is due, if there is one. */
  readonly digest: number | undefined;
  /** When the last such digest was sent. */
  readonly digested: number | undefined;
}

/** The history after one more mail. `deferredUntil`: the mail exceeds the limit and waits for the digest of that moment. */
interface CountedMail {
  readonly history: MailHistory;
  readonly deferredUntil?: number;
}

/**
 * Counts a mail that is about to be sent (docs/limits.md#alerts). From the first mail that exceeds the limit, everything waits for
 * the digest, so that people are notified in order.
 */
export function countMail({ digest, digested, ...history }: MailHistory, now: number): CountedMail {
  const recent = history.recent.filter((at) => at > now - HOUR);
  if (digest === undefined && recent.length < MOST_ALERTS) return { history: { recent: [...recent, now], digest, digested } };
  const deferredUntil = digest ?? Math.max(recent[0] ?? now, digested ?? 0) + HOUR;
  return { history: { recent, digest: deferredUntil, digested }, deferredUntil };
}

export const isDigestDue = ({ digest }: MailHistory, now: number): boolean => digest !== undefined && digest <= now;

/** Returns the history after the digest that was due. Nothing was sent if everything in it had been opened. */
export const closeDigest = (history: MailHistory, { now, isSent }: { readonly now: number; readonly isSent: boolean }): MailHistory => ({
  ...history,
  digest: undefined,
  digested: isSent ? now : history.digested,
});
