import { MOUTHS, RATING_WORDS, type Rating } from '#contract/rating.ts';
import styles from './Face.module.css';

/** A rating's face. `named` speaks its word where none stands beside it. */
export function Face({ rating, named = false, size = 28 }: { rating: Rating; named?: boolean; size?: number }) {
  const label = named ? { role: 'img', 'aria-label': RATING_WORDS[rating] } : { 'aria-hidden': true };
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} className={styles['face']} data-rating={rating} {...label}>
      <circle cx="12" cy="12" r="10.6" />
      <circle className={styles['eye']} cx="8.6" cy="9.6" r="1.35" />
      <circle className={styles['eye']} cx="15.4" cy="9.6" r="1.35" />
      <path d={MOUTHS[rating]} />
    </svg>
  );
}
