import type { ReactNode } from 'react';
import styles from './Panel.module.css';
import { Wordmark } from './Wordmark.tsx';

/** A page outside the frame: one card in the middle, with links below it. */
export function Panel({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['mark']}>
        <Wordmark />
      </div>
      <div className={styles['card']}>{children}</div>
      {below && <div className={styles['below']}>{below}</div>}
    </main>
  );
}
