import { batchSubscriber, type EventSubscriber, subscriber } from '../event/relay.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import { type SuppressionOptions, suppressAddress } from './feedback-request.ts';
import * as store from './store.ts';

/** Marks the requests that visitors answered. */
export const answeredRequests: EventSubscriber = batchSubscriber(
  'answered feedback requests',
  ['feedback.submitted', 'feedback.trusted'],
  async (scope, events) => {
    const keyHashes = await feedback.keyHashes(
      scope,
      events.map(({ subject }) => subject),
    );
    for (const { propertyId } of await store.markAnswered(scope, keyHashes))
      await record(scope, 'feedback-request.answered', { subject: propertyId, data: {} });
  },
  store.accountsAsking,
);

/** Suppresses the address of a request whose mail bounced, or that its recipient reported as spam. */
export const returnedRequests = (options: SuppressionOptions): EventSubscriber =>
  subscriber('returned feedback requests', ['delivery.bounced', 'delivery.complained'], async (scope, { name, subject: deliveryId }) => {
    const request = await store.byDelivery(scope, deliveryId);
    if (!request) return;
    const reason = name === 'delivery.bounced' ? 'bounced' : 'complained';
    await store.end(scope, request.id, reason);
    await suppressAddress(scope, options, { emailHash: request.emailHash, email: request.email, reason });
  });
