import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useIsAfterStart } from '../hooks.ts';
import { fetchAhead, loadedLater } from '../page/Later.tsx';
import { Button, useNetwork } from '../theme/mantine.ts';
import styles from './Toasts.module.css';

const Notifications = loadedLater(() => import('./Notifications.ts'), 'Notifications');

const STAYS_FOR = 6_000;
const PARTS = {
  icon: styles['icon'] ?? '',
  body: styles['body'] ?? '',
  description: styles['text'] ?? '',
};

interface ToastOptions {
  /** A button in the toast. Such a toast stays until it is closed or replaced. */
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly tone?: 'done' | 'failed';
}

/** Shows a short message that something was done or failed. */
export function toast(message: string, { action, tone = 'done' }: ToastOptions = {}): void {
  const Icon = tone === 'done' ? IconCircleCheck : IconAlertTriangle;
  // Show only the newest.
  notifications.clean();
  // The live region announces it: screen readers need a region that exists before the toast.
  notifications.show({
    message: action ? <WithAction message={message} {...action} /> : message,
    role: tone === 'done' ? 'presentation' : 'alert',
    autoClose: action ? false : STAYS_FOR,
    icon: <Icon size={18} aria-hidden />,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    classNames: { ...PARTS, root: `${styles['toast']} ${styles[tone]}` },
  });
}

const WithAction = ({ message, label, run }: { message: string; label: string; run: () => void }) => (
  <span className={styles['action']}>
    <span>{message}</span>
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => {
        notifications.clean();
        run();
      }}
    >
      {label}
    </Button>
  </span>
);

export const clearToasts = (): void => notifications.clean();

/** The live region for toasts. Toasts leave without a transition, so that an old button can't be pressed. */
export function Toasts() {
  const isAfterStart = useIsAfterStart();
  const { online } = useNetwork();
  const [isLoaded, setLoaded] = useState(false);
  // Offline, it loads once the network is back, and then shows the pending toasts.
  useEffect(() => {
    if (isAfterStart && online) void fetchAhead(Notifications).then(setLoaded);
  }, [isAfterStart, online]);
  return (
    isLoaded && <Notifications role="status" autoClose={STAYS_FOR} transitionDuration={0} classNames={{ root: styles['region'] ?? '' }} />
  );
}
