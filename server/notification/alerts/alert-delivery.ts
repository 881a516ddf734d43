import { isAskingSince } from '#contract/feedback/work.ts';
import type { NoticeKind } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import * as feedback from '../../feedback/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as users from '../../user/store.ts';
import { type Deferral, decide, decideByLimit } from '../policy/decision.ts';
import type { MailHistory } from '../policy/mail-limit.ts';
import * as mail from './alert-mail.ts';
import * as store from './alert-store.ts';
import { deliverDigest, rewriteDigest } from './digest.ts';
import * as recipients from './recipient-store.ts';

/* Delivers alerts as the policy decides, in the caller's transaction (docs/rules.md#alerts). */

/** Feedback to notify people of. */
export interface AlertRequest extends Pick<store.Alert, 'feedbackId' | 'reason'> {
  readonly property: Property;
  readonly userIds: readonly string[];
  /** The visitor's message, if it is about one. */
  readonly messageId?: string;
}

/** Notifies people of feedback, each of them once per item, of its visitor's request to be contacted, and of each message. */
export async function alertPeople(context: mail.AlertContext, scope: AccountScope, requests: readonly AlertRequest[]): Promise<void> {
  const feedbackIds = requests.map(({ feedbackId }) => feedbackId);
  const items = await feedback.openStates(scope, feedbackIds);
  const digests = await recipients.digestTimes(scope, [...new Set(requests.flatMap(({ userIds }) => userIds))]);
  const rows = requests.flatMap(({ feedbackId, reason, property, userIds, messageId = null }) => {
    const item = items.get(feedbackId);
    const asked = item && isAskingSince(item, scope.now.getTime()) ? scope.now : null;
    return userIds.toSorted().map((userId) => ({
      ...{ feedbackId, userId, propertyId: property.id, reason, asked, messageId },
      ...waitFor(digests.get(userId), scope.now),
    }));
  });
  const alerts = await store.add(scope, rows);
  await context.notify(
    scope,
    ...alerts.map(({ userId, feedbackId, ...alert }) => ({
      to: [userId],
      kind: kindOf(alert),
      cause: alert.messageId ?? feedbackId,
      feedbackId,
    })),
  );
  const recipientsNow = new Set(alerts.flatMap(({ userId, waitsFor }) => (waitsFor === null ? [userId] : [])));
  for (const userId of recipientsNow) await deliverDue(context, scope, userId);
}

/** While a digest waits for a person, new alerts wait for it. */
const waitFor = (digest: Date | undefined, now: Date) =>
  digest ? { due: digest, waitsFor: 'hour' as const } : { due: now, waitsFor: null };

/** Notifies a person of everything that is due, unless another process is doing so. */
export async function deliverDue(context: mail.AlertContext, scope: AccountScope, userId: string): Promise<void> {
  const lock = await lockRecipient(scope, userId);
  if (!lock) return;
  let { history } = lock;
  for (const alert of await store.due(scope, userId))
    history = await (alert.notified ? deliverAddition : deliverFirst)(context, lock.recipient, { alert, history });
  await recipients.save(scope, userId, await deliverDigest(context, lock.recipient, history));
}

/** Rewrites the unsent mails about feedback that its visitor changed at a time (UTC ms). */
export async function amendMails(
  context: mail.AlertContext,
  scope: AccountScope,
  { feedbackId, at }: { readonly feedbackId: string; readonly at: number },
): Promise<void> {
  for (const alert of await store.rescheduleAmended(scope, feedbackId, { at, ...mail.ADDITION })) {
    const lock = await lockRecipient(scope, alert.userId);
    if (lock) await mail.rewriteMail(context, lock.recipient, alert);
  }
}

/** Rewrites or withdraws all unsent mails about feedback whose words were deleted, also failed ones and those with other feedback. */
export async function eraseMails(context: mail.AlertContext, scope: AccountScope, feedbackId: string): Promise<void> {
  const erasing = { ...context, withdraw: context.discard };
  // In one order, so that two erasures never wait for each other.
  const alerts = (await store.byFeedback(scope, feedbackId)).toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  for (const alert of alerts) {
    const lock = await lockRecipient(scope, alert.userId, { waits: true });
    if (!lock) continue;
    for (const earlier of alert.earlierDeliveryIds ?? []) await context.discard(scope, earlier);
    await mail.rewriteMail(erasing, lock.recipient, { ...alert, messageId: null });
    if (alert.digestId !== null)
      await rewriteDigest(erasing, lock.recipient, { digestId: alert.digestId, digested: lock.history.digested });
  }
}

/** Locks the mail history of a person who is still on the team. */
async function lockRecipient(scope: AccountScope, userId: string, options?: { readonly waits: boolean }) {
  const history = await recipients.lock(scope, userId, options);
  const person = history && (await users.byId(scope, userId));
  return person && { recipient: { scope, userId, to: person.data.emailAddress }, history };
}

interface DueAlert {
  readonly alert: store.Alert;
  /** The person's mails before it. */
  readonly history: MailHistory;
}

/** Delivers one alert by mail and push. Returns the person's mail history after it. */
async function deliverFirst(context: mail.AlertContext, recipient: mail.Recipient, { alert, history }: DueAlert): Promise<MailHistory> {
  const { scope, userId } = recipient;
  const { subject, closed } = await mail.currentState(scope, alert);
  if (!subject) {
    await store.change(scope, alert, { due: null, ...closed });
    return history;
  }
  const decision = decide({ now: scope.now.getTime(), property: subject.property, history, closed });
  // An unsent mail about the same feedback is rewritten to include the request to be contacted.
  const mayRewrite = decision.when === 'now' || (decision.when === 'later' && decision.waitsFor === 'hour');
  const isRewritten = mayRewrite && (await mail.rewriteMail(context, recipient, alert));
  if (isRewritten || decision.when === 'now') {
    if (!isRewritten) await mail.sendAlertMail(context, recipient, { alert, ...subject });
    await context.push(scope, {
      to: userId,
      reason: mail.REASON,
      about: { kind: kindOf(alert), cause: alert.messageId ?? alert.feedbackId },
    });
  } else await store.change(scope, alert, decision.when === 'later' ? waitAs(decision) : { due: null, ...decision.result });
  return isRewritten ? history : decision.history;
}

/** Sends what the visitor added, once they pause. Returns the person's mail history after it. */
async function deliverAddition(context: mail.AlertContext, recipient: mail.Recipient, { alert, history }: DueAlert): Promise<MailHistory> {
  const { scope } = recipient;
  const { subject, closed } = await mail.currentState(scope, alert);
  const isClosed = !subject || closed !== null;
  if (isClosed || alert.contentHash?.equals(mail.contentHashOf(subject.item))) {
    await store.change(scope, alert, { due: isClosed ? null : mail.additionsEnd(alert, scope.now) });
    return history;
  }
  if (await mail.rewriteMail(context, recipient, alert)) return history;
  const decision = decideByLimit({ now: scope.now.getTime(), history });
  if (decision.when === 'now') await mail.sendAlertMail(context, recipient, { alert, ...subject, isAddition: true });
  else await store.change(scope, alert, { notified: null, ...waitAs(decision) });
  return decision.history;
}

/** Returns the changes to an alert that isn't sent yet. */
const waitAs = ({ waitsFor, due }: Deferral): Partial<store.Alert> => ({ waitsFor, due: new Date(due) });

const kindOf = ({ asked, messageId, reason }: Pick<store.Alert, 'asked' | 'messageId' | 'reason'>): NoticeKind =>
  messageId !== null ? 'message' : asked ? 'contact' : reason === 'escalated' ? 'unopened' : 'urgent';
