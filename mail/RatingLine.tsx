import { EMOJI, RATING_WORDS, type Rating, URGENT_BELOW } from '#contract/feedback/rating.ts';
import { useT } from './language.tsx';
import { Paragraph } from './parts.tsx';
import { Rich } from './Rich.tsx';
import { LIGHT as c, DARK_MODE_CLASSES as dark } from './theme.ts';

/** A rating by face, word and number, with its place. */
export function RatingLine({ rating, place }: { rating: Rating; place: string }) {
  const t = useT();
  const values = { face: EMOJI[rating], word: t(RATING_WORDS[rating]), rating, place };
  return (
    <Paragraph>
      <Rich
        text={t('<rating>{face} {word}, {rating} of 5</rating> at {place}', values)}
        parts={{
          rating: (text) => <strong {...(rating < URGENT_BELOW && { className: dark.danger, style: { color: c.danger } })}>{text}</strong>,
        }}
      />
    </Paragraph>
  );
}
