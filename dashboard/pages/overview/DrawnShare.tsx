import type { Rating } from '#contract/feedback/rating.ts';
import styles from './Overview.module.css';

interface DrawnShareProps {
  /** The fraction of the longest bar: 0 to 1. */
  readonly length: number;
  /** Colors the bar like this face. */
  readonly rating?: Rating;
  /** The share as text; empty for none. */
  readonly children: string;
}

/** A bar in a table row, with the share beside it. */
export const DrawnShare = ({ length, rating, children }: DrawnShareProps) => (
  <div className={styles['drawn']}>
    <span className={styles['bar']} data-rating={rating} style={{ width: `${length * 100}%` }} />
    <span className={styles['share']}>{children}</span>
  </div>
);
