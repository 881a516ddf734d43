import * as v from 'valibot';
import { REVIEW_SERVICES, type ReviewLink, type ReviewService } from '#contract/form/review.ts';
import { reviewLink } from '#contract/form/review-link.ts';

/** The links to review services as they are typed: a service is chosen when it has a text, however empty. */
export type TypedLinks = Readonly<Partial<Record<ReviewService, string>>>;

const wrongLink = (service: ReviewService): string =>
  service === 'Other'
    ? 'Please paste the link of a page, such as tripadvisor.com/…'
    : `Please paste the link of your review page at ${service}`;

/** A service as its field names it. */
export const serviceName = (service: ReviewService): string => (service === 'Other' ? 'Another service' : service);

/** What is wrong with a pasted link, if anything. An empty one is not wrong, it is missing. */
export const linkProblem = (service: ReviewService, url: string): string | undefined =>
  url.trim() === '' || reviewLink(service, url.trim()) ? undefined : wrongLink(service);

const link = (service: ReviewService) =>
  v.pipe(
    v.string(),
    v.check((url) => linkProblem(service, url) === undefined, wrongLink(service)),
  );

export const reviewLinks = v.object({
  Google: v.optional(link('Google')),
  Yelp: v.optional(link('Yelp')),
  Trustpilot: v.optional(link('Trustpilot')),
  Other: v.optional(link('Other')),
});

/** Which link has still to be given, as a form says it below its button. */
export function missingLink(links: TypedLinks): string | undefined {
  const open = REVIEW_SERVICES.find((service) => links[service] !== undefined && !reviewLink(service, links[service].trim()));
  return open && `${links[open]?.trim() === '' ? 'Paste' : 'Check'} your ${serviceName(open)} link, or untick ${serviceName(open)}.`;
}

/** The chosen services with their links, as they are sent. */
export const chosenServices = (links: TypedLinks): ReviewLink[] =>
  REVIEW_SERVICES.flatMap((name) => (links[name] === undefined ? [] : [{ name, url: links[name].trim() }]));

/** The links that are kept, as fields start with them. */
export const typedLinks = (services: readonly ReviewLink[]): TypedLinks => Object.fromEntries(services.map(({ name, url }) => [name, url]));
