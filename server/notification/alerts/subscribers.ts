import type { RecordedEvent } from '#contract/events.ts';
import { awaitsReply, isAskingSince, isWaiting } from '#contract/feedback/work.ts';
import type { Property } from '#contract/property/property.ts';
import { batchSubscriber, type EventSubscriber, subscriber } from '../../event/relay.ts';
import * as feedback from '../../feedback/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as properties from '../../property/store.ts';
import * as users from '../../user/store.ts';
import { type AlertRequest, alertPeople, amendMails, eraseMails } from './alert-delivery.ts';
import type { AlertContext } from './alert-mail.ts';
import { alertedOf } from './alert-store.ts';
import { beginEscalation } from './escalation.ts';

/** Alerts a property's list when feedback is urgent, becomes urgent or starts to count, and when a visitor asks to be contacted. */
export function urgentAlerts(context: AlertContext): EventSubscriber {
  return batchSubscriber('urgent alerts', ALERTING, async (scope, events) => {
    // In a flood, most events are of one property.
    const lists = new Map<string, AlertList | undefined>();
    const requests = new Map<string, AlertRequest & { readonly at: number }>();
    for (const event of events) {
      const { at, subject: feedbackId, data } = event;
      const list = (await isAlertReason(scope, event)) && (await listOf(scope, lists, data.propertyId));
      if (!list) continue;
      const userIds = new Set([...list.userIds, ...(await escalatedPeople(scope, event)), ...(requests.get(feedbackId)?.userIds ?? [])]);
      requests.set(feedbackId, { feedbackId, property: list.property, reason: 'listed', userIds: [...userIds], at });
    }
    await alertPeople(context, scope, [...requests.values()]);
    for (const { feedbackId, property, at } of requests.values()) await beginEscalation(scope, { feedbackId, property, at });
  });
}

/** Returns the people on the team whom amended feedback was escalated to. */
async function escalatedPeople(scope: AccountScope, { name, subject }: RecordedEvent<AlertingName>): Promise<string[]> {
  if (name !== 'feedback.amended') return [];
  const alerted = await alertedOf(scope, subject);
  return users.filterJoined(
    scope,
    alerted.flatMap(({ userId, reason }) => (reason === 'escalated' ? [userId] : [])),
  );
}

const ALERTING = ['feedback.urgent', 'feedback.trusted', 'feedback.amended'] as const;
type AlertingName = (typeof ALERTING)[number];

/** Returns true if an event is a reason to alert people who aren't notified yet. */
async function isAlertReason(scope: AccountScope, { name, subject, data }: RecordedEvent<AlertingName>): Promise<boolean> {
  if (name === 'feedback.urgent') return true;
  if (name === 'feedback.amended' && !data.contact) return false;
  const item = await feedback.byId(scope, subject);
  if (!item) return false;
  return name === 'feedback.amended' ? isAskingSince(item, scope.now.getTime()) : isWaiting(item);
}

/** The people whom a property alerts. */
interface AlertList {
  readonly property: Property;
  readonly userIds: readonly string[];
}

async function listOf(scope: AccountScope, lists: Map<string, AlertList | undefined>, propertyId: string): Promise<AlertList | undefined> {
  if (!lists.has(propertyId)) {
    const property = await properties.byId(scope, propertyId);
    lists.set(propertyId, property && { property, userIds: await users.filterJoined(scope, property.data.notifications.complaints) });
  }
  return lists.get(propertyId);
}

/** Sends the changes that a visitor makes soon after the alert. A request to be contacted gets its own mail. */
export const amendedAlerts = (context: AlertContext): EventSubscriber =>
  subscriber('amended alerts', ['feedback.amended'], async (scope, { subject: feedbackId, at, data }) => {
    if (!data.contact) await amendMails(context, scope, { feedbackId, at });
  });

/**
 * Alerts a property's list and the assignee when a visitor asks for an answer or writes to the team, unless someone has answered since.
 * If no one has opened the feedback, it is escalated.
 */
export const messageAlerts = (context: AlertContext): EventSubscriber =>
  subscriber('message alerts', ['conversation.opened', 'conversation.received'], async (scope, { subject: feedbackId, at, data }) => {
    const { propertyId } = data;
    const item = await feedback.byId(scope, feedbackId);
    const list = await listOf(scope, new Map(), propertyId);
    if (!item || !list || !awaitsReply(item.data.reply) || !isAskingSince(item, at)) return;
    const { assignee } = item.data;
    const userIds = [...new Set([...list.userIds, ...(assignee === undefined ? [] : [assignee])])];
    await alertPeople(context, scope, [
      { feedbackId, property: list.property, reason: 'listed', userIds, ...('messageId' in data && { messageId: data.messageId }) },
    ]);
    await beginEscalation(scope, { feedbackId, property: list.property, at });
  });

/** Removes deleted words from mails that aren't sent yet. */
export const erasedAlerts = (context: AlertContext): EventSubscriber =>
  subscriber('erased alerts', ['feedback.erased'], (scope, { subject: feedbackId }) => eraseMails(context, scope, feedbackId));
