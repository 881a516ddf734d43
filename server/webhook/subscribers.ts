import { type RandomBytes, webhookDeliveryId } from '#contract/core/ids.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { WebhookEvent } from '#contract/webhook/webhook.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

const TOLD = {
  'feedback.submitted': 'feedback.created',
  'feedback.trusted': 'feedback.created',
  'feedback.amended': 'feedback.amended',
  'feedback.urgent': 'feedback.urgent',
  'comment.created': 'comment.created',
} as const satisfies Partial<Record<EventName, WebhookEvent>>;
type ToldName = keyof typeof TOLD;

interface DeliveriesOptions {
  readonly random: RandomBytes;
}

/** Writes a delivery for each webhook that hears of what happened. */
export const webhookDeliveriesOf = ({ random }: DeliveriesOptions): EventSubscriber =>
  subscriber(
    'webhook deliveries',
    Object.keys(TOLD) as ToldName[],
    async (scope, event) => {
      const type = TOLD[event.name];
      const webhookIds = await store.hearing(scope, type, event.data.propertyId);
      if (webhookIds.length === 0 || !(await isTold(scope, event))) return;
      // Feedback is created once, whether it counted from the beginning or somebody had it counted, twice even.
      const cause = type === 'feedback.created' ? `created ${event.subject}` : String(event.id);
      const rows = webhookIds.map((webhookId) => ({ id: webhookDeliveryId(random), webhookId, cause, type, eventId: event.id }));
      await store.addDeliveries(scope, rows);
    },
    store.accountsWithWebhooks,
  );

/** Neither a test answer nor what is suspected is told to anybody (docs/rules.md#webhooks). */
async function isTold(scope: AccountScope, event: RecordedEvent<ToldName>): Promise<boolean> {
  if (event.name === 'comment.created') return true;
  if (event.name === 'feedback.trusted' && !event.data.counts) return false;
  const item = await feedback.byId(scope, event.subject);
  return item !== undefined && item.data.test !== true && item.data.suspected !== true;
}
