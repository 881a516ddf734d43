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
  /** Something to do about it: such a message stays until it is closed, or something else happens. */
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly tone?: 'done' | 'failed';
}

/** A short message that something was done, or was not. */
export function toast(message: string, { action, tone = 'done' }: ToastOptions = {}): void {
  const Icon = tone === 'done' ? IconCircleCheck : IconAlertTriangle;
  // One at a time: the newest matters.
  notifications.clean();
  // The region below reads it out: it is there before the toast, which screen readers ask for.
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

/** The region that toasts appear in. A toast leaves at once, so that the button of the one before is never there to be pressed. */
export function Toasts() {
  const isAfterStart = useIsAfterStart();
  const { online } = useNetwork();
  const [isThere, setThere] = useState(false);
  // Without a network it is fetched as soon as there is one; what was to be said meanwhile is said then.
  useEffect(() => {
    if (isAfterStart && online) void fetchAhead(Notifications).then(setThere);
  }, [isAfterStart, online]);
  return (
    isThere && <Notifications role="status" autoClose={STAYS_FOR} transitionDuration={0} classNames={{ root: styles['region'] ?? '' }} />
  );
}
