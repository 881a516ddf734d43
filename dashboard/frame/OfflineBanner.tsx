import { useSyncExternalStore } from 'react';
import styles from './Frame.module.css';

/** Says that what stands below may be old. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className={isOnline ? 'visually-hidden' : styles['offline']}>
      {isOnline ? '' : 'You’re offline. You see what was loaded last; it updates by itself.'}
    </div>
  );
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
