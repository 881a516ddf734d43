import type { ReactNode } from 'react';
import { t } from '../../language.ts';
import { Button } from '../theme/mantine.ts';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'alert' | 'status';
}

/** Shown in place of a list or page that is empty or has no matches. */
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

interface NotLoadedProps {
  readonly title: string;
  readonly onRetry: () => unknown;
  readonly children?: ReactNode;
}

/** Shown in place of a list or page that failed to load, with a button to try again. */
export const NotLoaded = ({ title, onRetry, children }: NotLoadedProps) => (
  <EmptyState role="alert" title={title} action={<Button onClick={() => void onRetry()}>{t('Try again')}</Button>}>
    {children}
  </EmptyState>
);
