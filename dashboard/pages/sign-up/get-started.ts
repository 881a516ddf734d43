import * as v from 'valibot';
import { REVIEW_INVITATIONS, type ReviewInvitation } from '#contract/form/form.ts';
import { propertyName } from '#contract/property/property.ts';
import { t } from '../../language.ts';
import { missingLink, reviewLinks, type TypedLinks } from '../../ui/forms/review-links.ts';
import { firstMissing, requirement } from '../../ui/forms/validation.ts';

/** The typed input of the last step. */
export interface GetStartedValues {
  readonly businessName: string;
  readonly links: TypedLinks;
  readonly inviteToReview: ReviewInvitation;
}

export const GET_STARTED = v.object({
  businessName: propertyName,
  links: reviewLinks,
  inviteToReview: v.picklist(REVIEW_INVITATIONS),
});

/** Returns why 'Go to my dashboard' is disabled, if it is (docs/rules.md#get-started). */
export function missingOf({ businessName, links }: GetStartedValues): string | undefined {
  return firstMissing(requirement(propertyName, businessName, t('Enter your business name.'))) ?? missingLink(links);
}
