import type { Tally } from '#contract/feedback.ts';
import { RATING_WORDS, RATINGS, type Rating } from '#contract/rating.ts';
import { Face } from '../../../ui/Face.tsx';
import styles from './FaceCounters.module.css';
import { percentOf } from './trend.ts';

interface FaceCountersProps {
  /** Undefined while they are counted. */
  readonly ratings: Tally | undefined;
  readonly chosen: Rating | undefined;
  readonly onChoose: (rating: Rating | undefined) => void;
}

/** How many of each rating, and the filter by it in one. */
export function FaceCounters({ ratings, chosen, onChoose }: FaceCountersProps) {
  return (
    <fieldset className={styles['faces']}>
      <legend className="visually-hidden">Filter by rating</legend>
      {RATINGS.map((rating) => {
        const count = ratings?.[rating - 1];
        return (
          <button
            key={rating}
            type="button"
            className={styles['face']}
            aria-pressed={chosen === rating}
            aria-keyshortcuts={String(rating)}
            onClick={() => onChoose(chosen === rating ? undefined : rating)}
          >
            <Face rating={rating} />
            <strong>{count ?? '–'}</strong>
            <span>{RATING_WORDS[rating]}</span>
            <small>{ratings && count !== undefined ? `${percentOf(count, ratings)}%` : ' '}</small>
          </button>
        );
      })}
    </fieldset>
  );
}
