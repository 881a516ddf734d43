import { t } from '../../language.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Wordmark } from '../../ui/page/Wordmark.tsx';
import styles from './Frame.module.css';
import skeleton from './FrameSkeleton.module.css';

const ITEMS = [1, 2, 3];

/** The frame while everything loads, so that no other screen flashes. The build prerenders it into the document. */
export function FrameSkeleton() {
  const isLong = useDelayed(true);
  return (
    <div className={styles['frame']} aria-busy>
      <header className={styles['top']}>
        <Wordmark />
      </header>
      <div className={`${styles['side']} ${skeleton['items']}`}>
        {ITEMS.map((item) => (
          <span key={item} />
        ))}
      </div>
      <main className={`${styles['main']} ${skeleton['page']}`}>
        <p role="status" className="visually-hidden">
          {isLong ? t('Loading') : ''}
        </p>
        <span className={skeleton['heading']} />
        <span className={skeleton['card']} />
        <span className={skeleton['list']} />
      </main>
    </div>
  );
}
