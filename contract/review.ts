/** Review services and their links. Pure, so that the form's page stays small. */

export const REVIEW_SERVICES = ['Google', 'Yelp'] as const;
export type ReviewService = (typeof REVIEW_SERVICES)[number];

/** What the button says. Yelp forbids asking for reviews, so its words only point the way. */
export const REVIEW_LABEL: Record<ReviewService, string> = {
  Google: 'Review us on Google',
  Yelp: 'Find us on Yelp',
};

/** A service with the link that a business pasted for it. */
export interface ReviewLink {
  readonly name: ReviewService;
  readonly url: string;
}
