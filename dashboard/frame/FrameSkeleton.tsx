import { useDelayed } from '../ui/hooks.ts';
import { Wordmark } from '../ui/Wordmark.tsx';
import styles from './Frame.module.css';
import skeleton from './FrameSkeleton.module.css';

const ITEMS = [1, 2, 3];

/** The frame while nothing is known yet: never a flash of another screen. */
export function FrameSkeleton() {
  const isLong = useDelayed(true);
  return (
    <div className={styles['frame']} aria-busy>
      <header className={styles['top']}>
        <Wordmark />
      </header>
      <div className={`${styles['side']} ${skeleton['items']}`}>
        {ITEMS.map((item) => (
          <span key={item} data-shown={isLong || undefined} />
        ))}
      </div>
      <main className={`${styles['main']} ${skeleton['page']}`}>
        <p role="status" className="visually-hidden">
          {isLong ? 'Loading' : ''}
        </p>
        <span className={skeleton['heading']} data-shown={isLong || undefined} />
        <span className={skeleton['card']} data-shown={isLong || undefined} />
        <span className={skeleton['list']} data-shown={isLong || undefined} />
      </main>
    </div>
  );
}
