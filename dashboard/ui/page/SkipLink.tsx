import styles from './SkipLink.module.css';

/** A link past the navigation, first in the tab order. Visible only with the focus. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a href={`#${to}`} className={styles['skip']}>
    {children}
  </a>
);
