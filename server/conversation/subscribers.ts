import { type EventSubscriber, subscriber } from '../event/relay.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as store from './store.ts';

/** Marks an answer whose mail bounced, and opens its feedback again if it waits for the visitor. A resent mail may still arrive. */
export const bouncedAnswers: EventSubscriber = subscriber(
  'bounced answers',
  ['delivery.bounced', 'delivery.retried'],
  async (scope, { name, subject: deliveryId }) => {
    const hasBounced = name === 'delivery.bounced';
    const answer = await store.byDelivery(scope, deliveryId);
    // Feedback is locked before its messages, as by an erasure.
    if (!answer || !(await feedback.lockById(scope, answer.feedbackId))) return;
    await store.setUndelivered(scope, answer.id, hasBounced);
    const item = hasBounced ? await feedback.byId(scope, answer.feedbackId) : undefined;
    if (!item) return;
    const about = { propertyId: item.data.projectId };
    if (await feedback.reopen(scope, item.id))
      await record(scope, 'feedback.status-changed', { subject: item.id, data: { ...about, from: 'waiting', to: 'open' } });
    await record(scope, 'conversation.bounced', { subject: item.id, data: { ...about, messageId: answer.id } });
  },
);
