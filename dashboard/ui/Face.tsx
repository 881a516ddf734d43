import { MOUTHS, type Rating } from '#contract/feedback/rating.ts';
import styles from './Face.module.css';

/** A rating's face. It has no accessible name, because its word is always shown beside it. */
export function Face({ rating, size = 28 }: { rating: Rating; size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} className={styles['face']} data-rating={rating} aria-hidden="true">
      <circle cx="12" cy="12" r="10.6" />
      <circle className={styles['eye']} cx="8.6" cy="9.6" r="1.35" />
      <circle className={styles['eye']} cx="15.4" cy="9.6" r="1.35" />
      <path d={MOUTHS[rating]} />
    </svg>
  );
}
