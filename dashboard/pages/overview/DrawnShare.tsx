import type { Rating } from '#contract/feedback/rating.ts';
import styles from './Overview.module.css';

interface DrawnShareProps {
  /** Of the longest bar: 0 to 1. */
  readonly length: number;
  /** Gives it the colour of this face. */
  readonly rating?: Rating;
  /** The share in words, where there is one. */
  readonly children: string;
}

/** The bar of a table's row, with its share beside it. */
export const DrawnShare = ({ length, rating, children }: DrawnShareProps) => (
  <div className={styles['drawn']}>
    <span className={styles['bar']} data-rating={rating} style={{ width: `${length * 100}%` }} />
    <span className={styles['share']}>{children}</span>
  </div>
);
