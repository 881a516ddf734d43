import * as v from 'valibot';
import { REVIEW_INVITATIONS, type ReviewInvitation } from '#contract/form.ts';
import { propertyName } from '#contract/property.ts';
import { REVIEW_SERVICES, type ReviewLink, type ReviewService } from '#contract/review.ts';
import { reviewLink } from '#contract/review-link.ts';

/** The last step as it was typed: a service is chosen when it has a text, however empty. */
export interface GetStartedValues {
  readonly businessName: string;
  readonly links: Readonly<Partial<Record<ReviewService, string>>>;
  readonly inviteToReview: ReviewInvitation;
}

const wrongLink = (service: ReviewService): string => `Please paste the link of your review page at ${service}`;

/** What is wrong with a pasted link, if anything. An empty one is not wrong, it is missing. */
export const linkProblem = (service: ReviewService, url: string): string | undefined =>
  url.trim() === '' || reviewLink(service, url.trim()) ? undefined : wrongLink(service);

const link = (service: ReviewService) =>
  v.pipe(
    v.string(),
    v.check((url) => linkProblem(service, url) === undefined, wrongLink(service)),
  );

export const GET_STARTED = v.object({
  businessName: propertyName,
  links: v.object({ Google: v.optional(link('Google')), Yelp: v.optional(link('Yelp')) }),
  inviteToReview: v.picklist(REVIEW_INVITATIONS),
});

/** Why 'Go to my dashboard' is off (docs/rules.md#get-started). */
export function missingOf({ businessName, links }: GetStartedValues): string | undefined {
  if (!v.is(propertyName, businessName)) return 'Enter your business name.';
  const open = REVIEW_SERVICES.find((service) => links[service] !== undefined && !reviewLink(service, links[service].trim()));
  return open && `Paste your ${open} link, or take ${open} off.`;
}

export const servicesOf = ({ links }: GetStartedValues): ReviewLink[] =>
  REVIEW_SERVICES.flatMap((name) => (links[name] === undefined ? [] : [{ name, url: links[name].trim() }]));
