import { RATING_WORDS, type Rating, URGENT_BELOW } from '#contract/feedback/rating.ts';
import { Paragraph } from './parts.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

/** The five faces in letters: mail programs draw no pictures that a mail brings along. */
const FACES: Readonly<Record<Rating, string>> = { 1: '😣', 2: '🙁', 3: '😐', 4: '🙂', 5: '😄' };

/** How a visit was rated, by face, word and number, and where. */
export const Rated = ({ rating, place }: { rating: Rating; place: string }) => (
  <Paragraph>
    <strong {...(rating < URGENT_BELOW && { className: dark.danger, style: { color: c.danger } })}>
      {FACES[rating]} {RATING_WORDS[rating]}, {rating} of 5
    </strong>{' '}
    at {place}
  </Paragraph>
);
