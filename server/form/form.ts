import type { ReviewLink } from '#contract/form/review.ts';
import { withServices } from '#contract/form/steps.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

export type { FormDocument } from './document.ts';
export { pageLanguage } from './language.ts';
export { openVisitKeys } from './visit-key.ts';

/** Changes a form's review services, as a new version. Ignores a deleted form. */
export async function changeFormServices(scope: AccountScope, formId: string, services: readonly ReviewLink[]): Promise<void> {
  const newest = await store.lockNewestVersion(scope, formId);
  if (!newest) return;
  const { inviteToReview, language, translations } = newest;
  const steps = withServices(newest.steps, services);
  await store.addVersion(scope, formId, { steps, inviteToReview, language, translations, saved: scope.now, savedBy: scope.actor });
}
