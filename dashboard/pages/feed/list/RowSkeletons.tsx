import styles from './RowSkeletons.module.css';

/** Rows to be, as high as rows are. Their place is kept from the start; they are drawn when it takes longer. */
export function RowSkeletons({ count, isShown }: { count: number; isShown: boolean }) {
  return (
    <div aria-busy>
      <p role="status" className="visually-hidden">
        {isShown ? 'Loading feedback' : ''}
      </p>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <div key={place} className={styles['row']} data-shown={isShown || undefined} aria-hidden>
          <span className={styles['face']} />
          <span className={styles['text']} />
          <span className={styles['meta']} />
        </div>
      ))}
    </div>
  );
}
