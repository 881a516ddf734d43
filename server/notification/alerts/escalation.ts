import { isUnopened } from '#contract/feedback/work.ts';
import type { Property } from '#contract/property/property.ts';
import * as feedback from '../../feedback/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as properties from '../../property/store.ts';
import * as users from '../../user/store.ts';
import { nextEscalation } from '../policy/decision.ts';
import { alertPeople } from './alert-delivery.ts';
import type { AlertContext } from './alert-mail.ts';
import { alertedOf } from './alert-store.ts';
import * as store from './escalation-store.ts';

/** Notifies the next person of feedback whose escalation is due, and schedules the one after. Ends when someone has opened it. */
export async function escalate(context: AlertContext, scope: AccountScope, feedbackId: string): Promise<void> {
  const row = await store.lockDue(scope, feedbackId);
  if (!row) return;
  const property = await properties.byId(scope, row.propertyId);
  const item = (await feedback.openStates(scope, [feedbackId])).get(feedbackId);
  const order = property?.data.alerts?.escalation?.to ?? [];
  const next = property && item && isUnopened(item) ? await nextIndex(scope, row, order) : -1;
  if (property && next !== -1)
    await alertPeople(context, scope, [{ feedbackId, property, reason: 'escalated', userIds: order.slice(next, next + 1) }]);
  const isOver = !property || next === -1 || next + 1 === order.length;
  await store.reschedule(scope, { feedbackId, step: next + 1 }, isOver ? undefined : nextEscalation(property, scope.now.getTime()));
}

/** Returns the index of the next person in the order who is on the team and isn't notified of the feedback already, or -1. */
async function nextIndex(scope: AccountScope, { feedbackId, step }: store.EscalationRow, order: readonly string[]): Promise<number> {
  const joined = await users.filterJoined(scope, order);
  const alerted = (await alertedOf(scope, feedbackId)).map(({ userId }) => userId);
  return order.findIndex((userId, index) => index >= step && joined.includes(userId) && !alerted.includes(userId));
}

interface EscalationStart {
  readonly feedbackId: string;
  readonly property: Property;
  /** UTC ms. */
  readonly at: number;
}

/** Schedules the escalation of feedback if its property has an escalation order. */
export async function beginEscalation(scope: AccountScope, { feedbackId, property, at }: EscalationStart): Promise<void> {
  const due = nextEscalation(property, at);
  if (due) await store.add(scope, { feedbackId, propertyId: property.id, due });
}
