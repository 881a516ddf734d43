import type { Property } from '#contract/property.ts';
import { isWaiting } from '#contract/work.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Notify } from '../kernel/notify.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import * as store from './store.ts';
import type { Telling } from './telling.ts';

interface UrgentAlertsOptions {
  readonly telling: Telling;
  readonly notify: Notify;
}

/** Tells those on a property's list of urgent feedback when it comes, becomes urgent, or is found to count. */
export function urgentAlerts({ telling, notify }: UrgentAlertsOptions): EventSubscriber {
  const listOf = openLists();
  return subscriber('urgent alerts', ['feedback.urgent', 'feedback.trusted'], async (scope, { name, at, subject: feedbackId, data }) => {
    const list = await listOf(scope, data.propertyId);
    if (!list || (name === 'feedback.trusted' && !(await isStillWaiting(scope, feedbackId)))) return;
    const { place, userIds } = list;
    const alert = { feedbackId, propertyId: place.id, reason: 'listed', userIds } as const;
    await notify(scope, { to: userIds, kind: 'urgent', cause: feedbackId, feedbackId });
    for (const userId of await store.add(scope, alert)) await telling.tell(scope, userId);
    await telling.beginEscalation(scope, feedbackId, { place, at });
  });
}

async function isStillWaiting(scope: AccountScope, feedbackId: string): Promise<boolean> {
  const item = await feedback.byId(scope, feedbackId);
  return item !== undefined && isWaiting(item);
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

/** Tells what a visitor changes of urgent feedback soon after it was told. */
export const amendedAlerts = (telling: Telling): EventSubscriber =>
  subscriber('amended alerts', ['feedback.amended'], (scope, { subject, at }) => telling.amended(scope, subject, at));
