import { RATING_WORDS, type Rating, URGENT_BELOW } from '#contract/feedback/rating.ts';
import { Paragraph } from './parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

/** The five faces as emoji, because many mail apps hide pictures by default. */
export const FACES: Readonly<Record<Rating, string>> = { 1: '😣', 2: '🙁', 3: '😐', 4: '🙂', 5: '😄' };

/** A rating by face, word and number, with its place. */
export const RatingLine = ({ rating, place }: { rating: Rating; place: string }) => (
  <Paragraph>
    <strong {...(rating < URGENT_BELOW && { className: dark.danger, style: { color: c.danger } })}>
      {FACES[rating]} {RATING_WORDS[rating]}, {rating} of 5
    </strong>{' '}
    at {place}
  </Paragraph>
);
