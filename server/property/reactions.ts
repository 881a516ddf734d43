import type { Facts } from '../events.ts';
import type { Reactions } from '../kernel/facts.ts';
import * as store from './store.ts';

export const propertyReactions = {
  /** Whoever left is told nothing any more. */
  async 'user.removed'(scope, { userId }) {
    await store.forget(scope, userId);
  },
  /** A form that points to other review services says so for its property. */
  async 'form.services-changed'(scope, { propertyId, service }) {
    await store.change(scope, propertyId, { service: [...service] });
  },
} satisfies Reactions<Facts>;
