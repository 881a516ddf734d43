import type { ReactNode } from 'react';
import styles from './Overview.module.css';

/** The numbers of a picture, for whoever wants them as such. */
export const AsTable = ({ children }: { children: ReactNode }) => (
  <details className={styles['asTable']}>
    <summary>Show as table</summary>
    {/* It may be wider than a phone: the keyboard scrolls it, too. */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
    <section className={styles['scrolled']} tabIndex={0} aria-label="Table">
      {children}
    </section>
  </details>
);
