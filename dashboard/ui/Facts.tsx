import type { ReactNode } from 'react';
import styles from './Facts.module.css';

/** What is known of a thing: names and values in two columns. What is undefined is left out. */
export const Facts = ({ of }: { of: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles['facts']}>
    {Object.entries(of).map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
