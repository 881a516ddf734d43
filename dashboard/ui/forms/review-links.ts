import * as v from 'valibot';
import { REVIEW_SERVICES, type ReviewLink, type ReviewService } from '#contract/form/review.ts';
import { reviewLink } from '#contract/form/review-link.ts';
import { t } from '../../language.ts';

/** The typed links by review service. A service is checked if it has a value, even an empty one. */
export type TypedLinks = Readonly<Partial<Record<ReviewService, string>>>;

const wrongLink = (service: ReviewService): string =>
  service === 'Other'
    ? t('Please paste the link of a page, such as tripadvisor.com/…')
    : t('Please paste the link of your review page at {service}', { service });

/** Returns a service's name in the form. */
export const serviceName = (service: ReviewService): string => (service === 'Other' ? t('Another service') : service);

/** Returns the problem of a pasted link, if any. An empty one counts as missing, not as invalid. */
export const linkProblem = (service: ReviewService, url: string): string | undefined =>
  url.trim() === '' || reviewLink(service, url.trim()) ? undefined : wrongLink(service);

const link = (service: ReviewService) =>
  v.pipe(
    v.string(),
    v.check(
      (url) => linkProblem(service, url) === undefined,
      () => wrongLink(service),
    ),
  );

export const reviewLinks = v.object({
  Google: v.optional(link('Google')),
  Yelp: v.optional(link('Yelp')),
  Trustpilot: v.optional(link('Trustpilot')),
  Other: v.optional(link('Other')),
});

/** Returns the message about the first missing or invalid link, for the line below the button. */
export function missingLink(links: TypedLinks): string | undefined {
  const service = REVIEW_SERVICES.find((each) => links[each] !== undefined && !reviewLink(each, links[each].trim()));
  if (!service) return undefined;
  const name = serviceName(service);
  return links[service]?.trim() === ''
    ? t('Paste your {name} link, or uncheck {name}.', { name })
    : t('Check your {name} link, or uncheck {name}.', { name });
}

/** Returns the checked services with their links, for sending. */
export const chosenServices = (links: TypedLinks): ReviewLink[] =>
  REVIEW_SERVICES.flatMap((name) => (links[name] === undefined ? [] : [{ name, url: links[name].trim() }]));

/** Returns the stored links as initial values. */
export const typedLinks = (services: readonly ReviewLink[]): TypedLinks => Object.fromEntries(services.map(({ name, url }) => [name, url]));
