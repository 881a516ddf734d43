import { RATINGS } from '#contract/feedback/rating.ts';
import { ratingWord } from '../../ui/format/rating.ts';
import styles from './Overview.module.css';

/** The legend of the colors. Hidden from screen readers: the charts' tables name the faces. */
export const FaceColors = () => (
  <ul className={styles['colors']} aria-hidden="true">
    {RATINGS.map((rating) => (
      <li key={rating} data-rating={rating}>
        {rating} {ratingWord(rating)}
      </li>
    ))}
  </ul>
);
