import type { RecordedEvent } from '#contract/events.ts';
import { isAskingSince, isWaiting } from '#contract/feedback/work.ts';
import type { Property } from '#contract/property/property.ts';
import { type EventSubscriber, subscriber } from '../../event/relay.ts';
import * as feedback from '../../feedback/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as properties from '../../property/store.ts';
import * as users from '../../user/store.ts';
import { alertPeople, amendMails } from './alert-delivery.ts';
import type { AlertContext } from './alert-mail.ts';
import { alertedOf } from './alert-store.ts';
import { beginEscalation } from './escalation.ts';

/** Alerts a property's list when feedback is urgent, becomes urgent or starts to count, and when a visitor asks to be contacted. */
export function urgentAlerts(context: AlertContext): EventSubscriber {
  const lists: ListsByScope = new WeakMap();
  return subscriber('urgent alerts', ['feedback.urgent', 'feedback.trusted', 'feedback.amended'], async (scope, event) => {
    const { at, name, subject: feedbackId, data } = event;
    const list = (await isAlertReason(scope, event)) && (await listOf(scope, lists, data.propertyId));
    if (!list) return;
    const { property } = list;
    const alerted = name === 'feedback.amended' ? await alertedOf(scope, feedbackId) : [];
    const escalated = alerted.flatMap(({ userId, reason }) => (reason === 'escalated' ? [userId] : []));
    const userIds = [...new Set([...list.userIds, ...(await users.filterJoined(scope, escalated))])];
    await alertPeople(context, scope, { feedbackId, property, reason: 'listed', userIds });
    await beginEscalation(scope, { feedbackId, property, at });
  });
}

type AlertingName = 'feedback.urgent' | 'feedback.trusted' | 'feedback.amended';

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

/** Read once in a transaction: in a flood, the relay handles many events of one property. */
type ListsByScope = WeakMap<AccountScope, Map<string, AlertList | undefined>>;

async function listOf(scope: AccountScope, lists: ListsByScope, propertyId: string): Promise<AlertList | undefined> {
  const byProperty = lists.get(scope) ?? new Map<string, AlertList | undefined>();
  lists.set(scope, byProperty);
  if (!byProperty.has(propertyId)) {
    const property = await properties.byId(scope, propertyId);
    byProperty.set(propertyId, property && { property, userIds: await users.filterJoined(scope, property.data.notifications.complaints) });
  }
  return byProperty.get(propertyId);
}

/** Sends the changes that a visitor makes soon after the alert. A request to be contacted gets its own mail. */
export const amendedAlerts = (context: AlertContext): EventSubscriber =>
  subscriber('amended alerts', ['feedback.amended'], async (scope, { subject: feedbackId, at, data }) => {
    if (!data.contact) await amendMails(context, scope, { feedbackId, at });
  });
