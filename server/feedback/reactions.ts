import type { Facts } from '../events.ts';
import type { Reactions } from '../kernel/facts.ts';
import * as store from './store.ts';

export const feedbackReactions = {
  /** What leaves the lists leaves the account's counts. */
  async 'property.deleted'(scope, { propertyId }) {
    await store.subtractTally(scope, propertyId);
  },
} satisfies Reactions<Facts>;
