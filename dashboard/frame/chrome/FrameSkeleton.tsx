import { useEffect, useState } from 'react';
import { APPEARS_AFTER, useDelayed } from '../../ui/hooks.ts';
import { Wordmark } from '../../ui/page/Wordmark.tsx';
import styles from './Frame.module.css';
import skeleton from './FrameSkeleton.module.css';

const ITEMS = [1, 2, 3];

/** The frame while nothing is known yet: never a flash of another screen. The build draws it into the document, too. */
export function FrameSkeleton() {
  const isLong = useDelayed(true);
  const [goesOn] = useState(takeOver);
  useEffect(() => leave, []);
  return (
    <div className={styles['frame']} aria-busy>
      <header className={styles['top']}>
        <Wordmark />
      </header>
      <div className={`${styles['side']} ${skeleton['items']}`}>
        {ITEMS.map((item) => (
          <span key={item} data-shown={goesOn || undefined} />
        ))}
      </div>
      <main className={`${styles['main']} ${skeleton['page']}`}>
        <p role="status" className="visually-hidden">
          {isLong ? 'Loading' : ''}
        </p>
        <span className={skeleton['heading']} data-shown={goesOn || undefined} />
        <span className={skeleton['card']} data-shown={goesOn || undefined} />
        <span className={skeleton['list']} data-shown={goesOn || undefined} />
      </main>
    </div>
  );
}

/* The document says whether it shows the frame that the build drew: what is seen already does not go and come again. */

const isDrawnAhead = (): boolean => globalThis.document?.documentElement.dataset['start'] === 'frame';
const takeOver = (): boolean => isDrawnAhead() && performance.now() > APPEARS_AFTER;
/** What else the document shows goes by itself. */
function leave(): void {
  if (isDrawnAhead()) delete document.documentElement.dataset['start'];
}
