import styles from './SkipLink.module.css';

/** The first thing that the keyboard comes to: leads past the navigation. Seen when it has the focus. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a href={`#${to}`} className={styles['skip']}>
    {children}
  </a>
);
