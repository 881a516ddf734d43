import type { ReviewLink } from '#contract/form/review.ts';
import { withServices } from '#contract/form/steps.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Lets a form point to other review services, by a new version. A closed form stays as it is. */
export async function pointToServices(scope: AccountScope, formId: string, services: readonly ReviewLink[]): Promise<void> {
  const newest = await store.newestVersion(scope, formId);
  if (!newest) return;
  const { inviteToReview } = newest;
  const steps = withServices(newest.steps, services);
  await store.addVersion(scope, formId, { steps, inviteToReview, saved: scope.now, savedBy: scope.actor });
}
