import styles from './Frame.module.css';
import { useUrgentCount } from './useUrgentCount.ts';

/** How many are waiting, beside or upon its place. */
export function UrgentCount() {
  const count = useUrgentCount();
  if (!count) return null;
  return (
    <span className={styles['count']}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> in the last month</span>
    </span>
  );
}
