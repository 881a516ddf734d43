import type { CSSProperties } from 'react';
import styles from './Rows.module.css';

/** The columns of a list: each title with its width, as in `grid-template-columns`. */
export type Columns = Readonly<Record<string, string>>;

/** Returns the style that gives rows their columns. */
export const widthsOf = (columns: Columns = { '': 'minmax(0, 1fr)' }): CSSProperties =>
  // React's type has no custom properties.
  ({ '--columns': Object.values(columns).join(' '), '--narrow': '112px' }) as CSSProperties;

/** The titles above a list's columns. Screen readers skip them, because each cell states what it is. */
export const ColumnHeads = ({ titles }: { titles: readonly string[] }) => (
  <div className={styles['head']} aria-hidden>
    {titles.map((title) => (
      <span key={title}>{title}</span>
    ))}
  </div>
);
