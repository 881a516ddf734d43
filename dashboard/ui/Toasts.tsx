import { notifications } from '@mantine/notifications';
import { IconCircleCheck } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import styles from './Toasts.module.css';

// Loaded after the page: nobody waits for what says that something was done.
const Notifications = lazy(() => import('./Notifications.ts').then((kit) => ({ default: kit.Notifications })));

const STAYS_FOR = 6_000;
const PARTS = {
  root: styles['toast'] ?? '',
  icon: styles['icon'] ?? '',
  body: styles['body'] ?? '',
  description: styles['text'] ?? '',
};

/** A short word that something was done. Never anything that has to be acted upon. */
export function toast(message: string): void {
  // Read out by the region that it appears in, which was there before.
  notifications.show({
    message,
    role: 'presentation',
    icon: <IconCircleCheck size={18} aria-hidden />,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    classNames: PARTS,
  });
}

/** The region that toasts appear in. */
export const Toasts = () => (
  <Suspense>
    <Notifications role="status" autoClose={STAYS_FOR} transitionDuration={200} classNames={{ root: styles['region'] ?? '' }} />
  </Suspense>
);
