import { withServices } from '#contract/steps.ts';
import type { Facts } from '../events.ts';
import type { Kernel } from '../kernel/context.ts';
import type { Reactions } from '../kernel/facts.ts';
import * as store from './store.ts';

export function formReactions({ now }: Pick<Kernel, 'now'>) {
  return {
    /** A new property gets its form in the same moment (§7). */
    async 'property.created'(scope, { propertyId, formId, steps, inviteToReview, by }) {
      await store.insert(scope, { id: formId, propertyId, steps, inviteToReview, saved: new Date(now()), savedBy: by });
    },
    async 'property.services-changed'(scope, { formId, service, by }) {
      const newest = await store.newestVersion(scope, formId);
      if (!newest) return;
      const { inviteToReview } = newest;
      const steps = withServices(newest.steps, service);
      await store.addVersion(scope, formId, { steps, inviteToReview, saved: new Date(now()), savedBy: by });
    },
    async 'property.deleted'(scope, { formId }) {
      await store.close(scope, formId, new Date(now()));
    },
  } satisfies Reactions<Facts>;
}
