import type { ReactNode } from 'react';
import styles from './Form.module.css';

/** Leads to another view of the same page: a button that looks like the link it is to people. */
export const TextLink = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={styles['link']} onClick={onClick}>
    {children}
  </button>
);
