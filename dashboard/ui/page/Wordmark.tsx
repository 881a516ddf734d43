import styles from './Wordmark.module.css';

/** The logo: closing quotation marks, and the name. */
export function Wordmark() {
  return (
    <span className={styles['wordmark']}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <rect width="24" height="24" rx="7" fill="var(--c-accent)" />
        <path
          d="M7.2 15.6c2-1 2.9-2.2 2.9-3.9H7.4V8.2h4v3.2c0 2.7-1.1 4.5-3.4 5.6zM13.6 15.6c2-1 2.9-2.2 2.9-3.9h-2.7V8.2h4v3.2c0 2.7-1.1 4.5-3.4 5.6z"
          fill="var(--c-on-accent)"
        />
      </svg>
      Afterword
    </span>
  );
}
