import { useDelayed } from '../ui/useDelayed.ts';
import { Wordmark } from '../ui/Wordmark.tsx';
import styles from './Frame.module.css';

/** The frame while nothing is known yet: never a flash of another screen. */
export function FrameSkeleton() {
  const isLong = useDelayed(true);
  return (
    <div className={styles['frame']} aria-busy>
      <header className={styles['top']}>
        <Wordmark />
      </header>
      <div className={styles['side']} />
      <main className={styles['main']}>
        <p role="status" className="visually-hidden">
          {isLong ? 'Loading' : ''}
        </p>
      </main>
    </div>
  );
}
