/* Review services and their links. Without imports, so that the form's page stays small. */

export const REVIEW_SERVICES = ['Google', 'Yelp', 'Trustpilot', 'Other'] as const;
export type ReviewService = (typeof REVIEW_SERVICES)[number];

/** The services that sign-up offers; a property's configuration offers all. */
export const FIRST_REVIEW_SERVICES: readonly ReviewService[] = ['Google', 'Yelp'];

/** A service with the link that a business pasted for it. */
export interface ReviewLink {
  readonly name: ReviewService;
  readonly url: string;
}

export const areSameLinks = (a: readonly ReviewLink[], b: readonly ReviewLink[]): boolean =>
  a.length === b.length && a.every(({ name, url }, index) => name === b[index]?.name && url === b[index]?.url);
