import type { ReactNode } from 'react';
import { t } from '../../language.ts';
import styles from './Overview.module.css';

/** A chart's numbers as a table, collapsed at first. */
export const AsTable = ({ children }: { children: ReactNode }) => (
  <details className={styles['asTable']}>
    <summary>{t('Show as table')}</summary>
    {/* Wider than a phone, so it needs the focus to scroll by keyboard. */}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
    <section className={styles['scrolled']} tabIndex={0} aria-label={t('Table')}>
      {children}
    </section>
  </details>
);
