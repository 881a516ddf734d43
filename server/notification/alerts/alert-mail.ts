import { createHash } from 'node:crypto';
import { MINUTE } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { isUnopened } from '#contract/feedback/work.ts';
import { type Moment, pageLink, type UrgentFeedback } from '#contract/mail/mail.ts';
import type { AlertResult } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import * as conversations from '../../conversation/store.ts';
import * as feedback from '../../feedback/store.ts';
import type { SendMail, WithdrawMail } from '../../platform/mailer/send-mail.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import type { ListLinks } from '../../property/property.ts';
import * as properties from '../../property/store.ts';
import * as tools from '../../tool/store.ts';
import type { Notify } from '../inbox/inbox.ts';
import { closedResult } from '../policy/decision.ts';
import type { SendPush } from '../push/pushes.ts';
import * as store from './alert-store.ts';
import type { AlertLinks } from './links.ts';

/** The name of the event that mails and pushes about urgent feedback follow from. */
export const REASON = 'feedback.urgent';
/** How long after the first mail a visitor's additions are sent, and how long the visitor must pause before that (ms). */
export const ADDITION = { within: 2 * MINUTE, pause: 20_000 };

/** Dependencies of alert delivery. */
export interface AlertContext {
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  readonly discard: WithdrawMail;
  readonly notify: Notify;
  readonly push: SendPush;
  readonly links: AlertLinks;
  readonly lists: ListLinks;
  /** The configured address. */
  readonly site: string;
}

/** A person whose mail history is locked. */
export interface Recipient {
  readonly scope: AccountScope;
  readonly userId: string;
  readonly to: string;
}

interface AlertSubject {
  readonly item: Feedback;
  readonly property: Property;
}

interface AlertMail extends AlertSubject {
  readonly alert: store.Alert;
  /** Whether it follows the first mail, with what the visitor added. */
  readonly isAddition?: boolean;
}

/** Sends the mail about one alert, and stores what it contained. */
export async function sendAlertMail(
  { send, links, lists, site }: AlertContext,
  { scope, userId, to }: Recipient,
  { alert, item, property, isAddition = false }: AlertMail,
): Promise<void> {
  const { accountId } = scope;
  const notified = alert.notified ?? scope.now;
  // People in the escalation order are on no list.
  const leave = alert.reason === 'listed' && lists.unsubscribeUrl({ accountId, propertyId: property.id, userId, list: 'complaints' });
  const message =
    alert.messageId === null || isAddition ? undefined : (await conversations.texts(scope, [alert.messageId])).get(alert.messageId);
  const props = {
    ...(await contentOf(scope, { item, property })),
    ...(message !== undefined && { text: message }),
    about: isAddition ? 'added' : message === undefined ? await aboutOf(scope, alert) : 'message',
    link: pageLink(site, `/?id=${item.id}`),
    take: await links.create(scope, alert),
    ...(leave && { leave }),
  } as const;
  const thread = isAddition ? (alert.deliveryId ?? undefined) : undefined;
  const { id: deliveryId } = await send(scope, { to, mail: 'urgent-feedback', props, reason: REASON, thread });
  const due = isAddition ? null : additionsEnd({ notified }, scope.now);
  const earlierDeliveryIds = alert.deliveryId === null ? alert.earlierDeliveryIds : [...(alert.earlierDeliveryIds ?? []), alert.deliveryId];
  const mails = { deliveryId, earlierDeliveryIds };
  await store.change(scope, alert, { notified, due, contentHash: contentHashOf(item), result: 'sent', ...mails });
}

/** Replaces an unsent mail, or withdraws it if nothing urgent remains. Returns false if it has been sent. */
export async function rewriteMail(context: AlertContext, recipient: Recipient, alert: store.Alert): Promise<boolean> {
  const { scope } = recipient;
  if (alert.deliveryId === null || !(await context.withdraw(scope, alert.deliveryId))) return false;
  await context.links.remove(scope, alert);
  const { subject, closed } = await currentState(scope, alert);
  if (subject && closed === null) await sendAlertMail(context, recipient, { alert: { ...alert, deliveryId: null }, ...subject });
  else await store.change(scope, alert, { notified: null, asked: null, deliveryId: null, contentHash: null, due: null, ...closed });
  return true;
}

interface CurrentState {
  /** Undefined if it was deleted. */
  readonly subject: AlertSubject | undefined;
  /** Why it no longer gets a separate mail. */
  readonly closed: AlertResult | null;
}

/** Returns what an alert is about, as it is now. */
export async function currentState(scope: AccountScope, { feedbackId, propertyId, asked }: store.Alert): Promise<CurrentState> {
  const [item, property] = [await feedback.byId(scope, feedbackId), await properties.byId(scope, propertyId)];
  if (!item || !property) return { subject: undefined, closed: { result: 'deleted' } };
  return { subject: { item, property }, closed: closedResult(item, { asked }) };
}

/** Returns when to look for additions for the last time, so that none is missed; null if that time has passed. */
export function additionsEnd({ notified }: Pick<store.Alert, 'notified'>, now: Date): Date | null {
  const end = new Date((notified?.getTime() ?? 0) + ADDITION.within);
  return end > now ? end : null;
}

/** Returns a hash that changes when the visitor adds words or a contact. */
export const contentHashOf = ({ data: { textFeedback, contact } }: Feedback): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([textFeedback, contact?.name, contact?.phone, contact?.email]))
    .digest();

async function aboutOf(scope: AccountScope, { reason, feedbackId }: store.Alert): Promise<UrgentFeedback['about']> {
  const item = reason === 'escalated' ? (await feedback.openStates(scope, [feedbackId])).get(feedbackId) : undefined;
  return item && isUnopened(item) ? 'unopened' : 'new';
}

async function contentOf(scope: AccountScope, { item, property }: AlertSubject) {
  const { rating, textFeedback: text, contact, toolId } = item.data;
  const tool = toolId === undefined ? undefined : await tools.byId(scope, toolId);
  const [place, placement] = [property.data.displayName, tool?.data.displayName];
  return { place, placement, rating, text, contact, when: sentAt({ item, property }) };
}

/** When feedback was sent, on the property's clock. */
export const sentAt = ({ item, property }: AlertSubject): Moment => ({ at: item.data.created, zone: property.data.timeZone });
