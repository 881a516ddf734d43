import { notifications } from '@mantine/notifications';
import { IconCircleCheck } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import styles from './Toasts.module.css';

// Loaded after the page, which needs no toast to be drawn.
const Notifications = lazy(() => import('./Notifications.ts').then((kit) => ({ default: kit.Notifications })));

const STAYS_FOR = 6_000;
const PARTS = {
  root: styles['toast'] ?? '',
  icon: styles['icon'] ?? '',
  body: styles['body'] ?? '',
  description: styles['text'] ?? '',
};

/** A short message that something was done, never one that asks for an action. */
export function toast(message: string): void {
  // One at a time: the newest matters.
  notifications.clean();
  // The region below reads it out: it is there before the toast, which screen readers ask for.
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
