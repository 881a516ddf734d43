import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'alert' | 'status';
}

/** Shown in place of a list or page that is empty, has no matches or failed to load. */
export function EmptyState({ icon, title, children, action, role }: EmptyStateProps) {
  return (
    <div className={styles['state']} role={role}>
      {icon && <div className={styles['icon']}>{icon}</div>}
      <div className={styles['title']}>{title}</div>
      {children && <p className={styles['more']}>{children}</p>}
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  );
}
