import { type RandomBytes, webhookDeliveryId } from '#contract/core/ids.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { WebhookEvent } from '#contract/webhook/webhook.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { addDeliveries } from './delivery-store.ts';
import * as store from './store.ts';

const WEBHOOK_EVENT_OF = {
  'feedback.submitted': 'feedback.created',
  'feedback.trusted': 'feedback.created',
  'feedback.amended': 'feedback.amended',
  'feedback.urgent': 'feedback.urgent',
  'feedback.erased': 'feedback.erased',
  'comment.created': 'comment.created',
} as const satisfies Partial<Record<EventName, WebhookEvent>>;
type DeliveredName = keyof typeof WEBHOOK_EVENT_OF;

interface DeliveriesOptions {
  readonly random: RandomBytes;
}

/** Adds a delivery for each webhook that is subscribed to an event. */
export const webhookDeliveriesOf = ({ random }: DeliveriesOptions): EventSubscriber =>
  subscriber(
    'webhook deliveries',
    Object.keys(WEBHOOK_EVENT_OF) as DeliveredName[],
    async (scope, event) => {
      const type = WEBHOOK_EVENT_OF[event.name];
      const webhookIds = await store.subscribed(scope, type, event.data.propertyId);
      if (webhookIds.length === 0 || !(await isDelivered(scope, event))) return;
      // Feedback is reported as created once, even if it was suspected and someone counted it, even twice.
      const cause = type === 'feedback.created' ? `created ${event.subject}` : String(event.id);
      const rows = webhookIds.map((webhookId) => ({ id: webhookDeliveryId(random), webhookId, cause, type, eventId: event.id }));
      await addDeliveries(scope, rows);
    },
    store.accountsWithWebhooks,
  );

/** Returns false for tests and suspected answers, which aren't sent (docs/rules.md#webhooks). */
async function isDelivered(scope: AccountScope, event: RecordedEvent<DeliveredName>): Promise<boolean> {
  if (event.name === 'comment.created') return true;
  if (event.name === 'feedback.trusted' && !event.data.counts) return false;
  const item = await feedback.byId(scope, event.subject);
  return item !== undefined && item.data.test !== true && item.data.suspected !== true;
}
