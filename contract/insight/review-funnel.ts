import * as v from 'valibot';
import { RATINGS, viewOf } from '../feedback/rating.ts';
import { NO_RATINGS, type Tally, tally } from '../feedback/tally.ts';
import { REVIEW_INVITATIONS, type ReviewInvitation } from '../form/form.ts';
import { REVIEW_SERVICES, type ReviewService } from '../form/review.ts';

/* The offers of public review links, by the rule that decided them (docs/rules.md#review-funnel). */

/** A time with one rule. */
export const reviewSpan = v.strictObject({
  /** When the rule was first saved (UTC ms), and by whom. */
  from: v.number(),
  savedBy: v.string(),
  /** The form's versions with this rule. */
  first: v.number(),
  last: v.number(),
  invite: v.picklist(REVIEW_INVITATIONS),
  /** The sites that the form linked to. */
  services: v.array(v.picklist(REVIEW_SERVICES)),
  ratings: tally,
  /** How many of each rating continued to a site. */
  opened: tally,
});
export type ReviewSpan = v.InferOutput<typeof reviewSpan>;

/** The rule of a form's version. */
export interface ReviewRule extends Pick<ReviewSpan, 'savedBy' | 'invite' | 'services'> {
  readonly formId: string;
  readonly version: number;
  /** UTC ms. */
  readonly saved: number;
}

/** The answers to a form's version. */
export interface VersionCounts extends Pick<ReviewSpan, 'ratings' | 'opened'> {
  readonly formId: string;
  readonly version: number;
}

/** Returns the spans of a property's rules, newest first. `rules` are oldest first. */
export function reviewSpans(rules: readonly ReviewRule[], counts: readonly VersionCounts[]): ReviewSpan[] {
  const byVersion = new Map(counts.map((each) => [`${each.formId} ${each.version}`, each]));
  const spans: (ReviewSpan & { readonly formId: string })[] = [];
  for (const { formId, version, saved, savedBy, invite, services } of rules) {
    const { ratings = NO_RATINGS, opened = NO_RATINGS } = byVersion.get(`${formId} ${version}`) ?? {};
    const before = spans.at(-1);
    if (before && before.formId === formId && before.invite === invite && String(before.services) === String(services))
      spans[spans.length - 1] = { ...before, last: version, ratings: sum(before.ratings, ratings), opened: sum(before.opened, opened) };
    else spans.push({ formId, from: saved, savedBy, first: version, last: version, invite, services, ratings, opened });
  }
  return spans.map(({ formId: _formId, ...span }) => span).reverse();
}

const sum = (a: Tally, b: Tally): Tally => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]];

/** Returns whether visitors with a rating are offered the links (form/Done.tsx). */
const isOffered = (rating: (typeof RATINGS)[number], { invite, services }: Pick<ReviewSpan, 'invite' | 'services'>): boolean =>
  services.length > 0 && (invite === 'everyone' || viewOf(rating) === 'good');

/** Returns how many of each rating were offered the links. */
export const offeredIn = (span: ReviewSpan): Tally =>
  RATINGS.map((rating, index) => (isOffered(rating, span) ? (span.ratings[index] ?? 0) : 0)) as unknown as Tally;

/** Services that forbid asking only visitors who are happy. */
const FORBID_SELECTION: readonly ReviewService[] = ['Google', 'Trustpilot'];

/** Returns the services whose rules an invitation breaks. Yelp's forbid asking at all, so the form only says where to find the business. */
export const servicesAgainst = (invite: ReviewInvitation, services: readonly ReviewService[]): ReviewService[] =>
  invite === 'everyone' ? [] : services.filter((service) => FORBID_SELECTION.includes(service));
