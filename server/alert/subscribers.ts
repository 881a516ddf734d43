import type { RecordedEvent } from '#contract/events.ts';
import { isAskingSince, isWaiting } from '#contract/feedback/work.ts';
import type { Property } from '#contract/property/property.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import type { Notify } from '../platform/live/notify.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';
import type { Telling } from './telling.ts';

type AlertingName = 'feedback.urgent' | 'feedback.trusted' | 'feedback.amended';

interface UrgentAlertsOptions {
  readonly telling: Telling;
  readonly notify: Notify;
}

/** Alerts a property's list when urgent feedback comes in, becomes urgent or is found to count, and when a visitor asks to be contacted. */
export function urgentAlerts({ telling, notify }: UrgentAlertsOptions): EventSubscriber {
  const listOf = openLists();
  return subscriber('urgent alerts', ['feedback.urgent', 'feedback.trusted', 'feedback.amended'], async (scope, event) => {
    const { at, subject: feedbackId, data } = event;
    const list = (await isDue(scope, event)) && (await listOf(scope, data.propertyId));
    if (!list) return;
    const { place } = list;
    const escalated = event.name === 'feedback.amended' ? await users.joined(scope, await store.escalatedTo(scope, feedbackId)) : [];
    const userIds = [...new Set([...list.userIds, ...escalated])];
    const added = await store.add(scope, { feedbackId, propertyId: place.id, reason: 'listed', userIds });
    await notify(scope, { to: added.userIds, kind: added.isAsking ? 'contact' : 'urgent', cause: feedbackId, feedbackId });
    for (const userId of added.now) await telling.tell(scope, userId);
    await telling.beginEscalation(scope, feedbackId, { place, at });
  });
}

/** Whether what happened to feedback is a reason to alert people, unless they know. */
async function isDue(scope: AccountScope, { name, subject, data }: RecordedEvent<AlertingName>): Promise<boolean> {
  if (name === 'feedback.urgent') return true;
  if (name === 'feedback.amended' && !data.contact) return false;
  const item = await feedback.byId(scope, subject);
  if (!item) return false;
  return name === 'feedback.amended' ? isAskingSince(item, scope.now.getTime()) : isWaiting(item);
}

interface AlertList {
  readonly place: Property;
  readonly userIds: readonly string[];
}

/** Whom a property alerts, looked up once in a transaction: in a flood, the relay hands over many events of one in a row. */
function openLists(): (scope: AccountScope, propertyId: string) => Promise<AlertList | undefined> {
  const known = new WeakMap<AccountScope, Map<string, AlertList | undefined>>();
  return async (scope, propertyId) => {
    const lists = known.get(scope) ?? new Map<string, AlertList | undefined>();
    known.set(scope, lists);
    if (!lists.has(propertyId)) lists.set(propertyId, await look(scope, propertyId));
    return lists.get(propertyId);
  };

  async function look(scope: AccountScope, propertyId: string): Promise<AlertList | undefined> {
    const place = await properties.byId(scope, propertyId);
    return place && { place, userIds: await users.joined(scope, place.data.notifications.complaints) };
  }
}

/** Tells what a visitor changes of urgent feedback soon after it was told. A wish to be contacted has a mail of its own. */
export const amendedAlerts = (telling: Telling): EventSubscriber =>
  subscriber('amended alerts', ['feedback.amended'], async (scope, { subject, at, data }) => {
    if (!data.contact) await telling.amended(scope, subject, at);
  });
