import { EMOJI, RATING_WORDS, type Rating, URGENT_BELOW } from '#contract/feedback/rating.ts';
import { Paragraph } from './parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

/** A rating by face, word and number, with its place. */
export const RatingLine = ({ rating, place }: { rating: Rating; place: string }) => (
  <Paragraph>
    <strong {...(rating < URGENT_BELOW && { className: dark.danger, style: { color: c.danger } })}>
      {EMOJI[rating]} {RATING_WORDS[rating]}, {rating} of 5
    </strong>{' '}
    at {place}
  </Paragraph>
);
