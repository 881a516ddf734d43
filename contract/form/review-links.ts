import * as v from 'valibot';
import { MESSAGES } from '../core/schema.ts';
import { REVIEW_SERVICES } from './review.ts';
import { reviewLink } from './review-link.ts';

const pastedLink = v.strictObject({ name: v.picklist(REVIEW_SERVICES), url: v.pipe(v.string(), v.trim(), v.maxLength(2000)) });

const reviewService = v.pipe(
  pastedLink,
  v.forward(
    v.partialCheck([['name'], ['url']], ({ name, url }) => reviewLink(name, url) !== undefined, MESSAGES.reviewLink),
    ['url'],
  ),
  v.transform(({ name, url }) => ({ name, url: reviewLink(name, url) ?? url })),
);

/** Review links as stored. A link that was accepted once stays valid, whatever is accepted today. */
export const storedReviewServices = v.array(
  v.strictObject({ name: v.picklist(REVIEW_SERVICES), url: v.pipe(v.string(), v.startsWith('https://')) }),
);

const isOneEach = (list: readonly { name: string }[]): boolean => new Set(list.map(({ name }) => name)).size === list.length;
const ONE_EACH = 'Enter one link for each service';

/** Review links as a client sends them: at most one for each service. */
export const reviewServices = v.pipe(
  v.array(reviewService),
  v.maxLength(REVIEW_SERVICES.length),
  v.check((list) => isOneEach(list), ONE_EACH),
);

/** Review links that `acceptedSteps` checks later, because some of them may be stored already. */
export const pastedReviewServices = v.pipe(
  v.array(pastedLink),
  v.maxLength(REVIEW_SERVICES.length),
  v.check((list) => isOneEach(list), ONE_EACH),
);
