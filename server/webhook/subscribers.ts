import { type RandomBytes, webhookDeliveryId } from '#contract/core/ids.ts';
import type { EventName, RecordedEvent } from '#contract/events.ts';
import type { WebhookEvent } from '#contract/webhook/webhook.ts';
import { batchSubscriber, type EventSubscriber } from '../event/relay.ts';
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
  batchSubscriber(
    'webhook deliveries',
    Object.keys(WEBHOOK_EVENT_OF) as DeliveredName[],
    async (scope, events) => {
      const webhooks = await store.subscriptions(scope);
      const rows = (await sentOf(scope, events)).flatMap((event) => {
        const type = WEBHOOK_EVENT_OF[event.name];
        // Feedback is reported as created once, even if it was suspected and someone counted it, even twice.
        const cause = type === 'feedback.created' ? `created ${event.subject}` : String(event.id);
        return webhooks
          .filter(({ events: types, propertyIds }) => types.includes(type) && (propertyIds?.includes(event.data.propertyId) ?? true))
          .map(({ id: webhookId }) => ({ id: webhookDeliveryId(random), webhookId, cause, type, eventId: event.id }));
      });
      if (rows.length > 0) await addDeliveries(scope, rows);
    },
    store.accountsWithWebhooks,
  );

/** Returns the events without those of tests and suspected answers, which aren't sent (docs/rules.md#webhooks). */
async function sentOf(scope: AccountScope, events: readonly RecordedEvent<DeliveredName>[]): Promise<RecordedEvent<DeliveredName>[]> {
  const items = await feedback.some(
    scope,
    events.map(({ subject }) => subject),
  );
  const sentIds = new Set(items.filter(({ data }) => data.test !== true && data.suspected !== true).map(({ id }) => id));
  return events.filter(
    (event) => event.name === 'comment.created' || (sentIds.has(event.subject) && (event.name !== 'feedback.trusted' || event.data.counts)),
  );
}
