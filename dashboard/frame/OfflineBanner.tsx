import { useNetwork } from '../ui/mantine.ts';
import styles from './Frame.module.css';

/** Says that what stands below may be old. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? 'visually-hidden' : styles['offline']}>
      {online ? '' : 'You’re offline. You see what was loaded last; it updates by itself.'}
    </div>
  );
}
