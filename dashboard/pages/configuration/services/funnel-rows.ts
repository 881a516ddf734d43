import type { CellRow } from '#contract/export/table.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { offeredIn, type ReviewSpan } from '#contract/insight/review-funnel.ts';
import { inEnglish } from '#contract/language/translate.ts';
import { INVITED } from '../invited.ts';

const HEADINGS = ['From', 'Until', 'Saved by', 'Versions', 'Invited', 'Links', 'Rating', 'Answers', 'Offered', 'Opened'];

/** Returns the rows of the exported table, a row for each rule and rating. Spans are newest first; times are in UTC. */
export const funnelRows = (spans: readonly ReviewSpan[], nameOf: (userId: string) => string): CellRow[] => [
  HEADINGS,
  ...spans.flatMap((span, index) => {
    const until = spans[index - 1]?.from;
    const offered = offeredIn(span);
    return RATINGS.map((rating) => [
      new Date(span.from).toISOString(),
      until === undefined ? '' : new Date(until).toISOString(),
      nameOf(span.savedBy),
      `${span.first} to ${span.last}`,
      span.services.length === 0 ? 'No one' : inEnglish(INVITED[span.invite]),
      span.services.join(', '),
      rating,
      span.ratings[rating - 1],
      offered[rating - 1],
      span.opened[rating - 1],
    ]);
  }),
];
