import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../language.ts';
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
    message: <Measured>{action ? <WithAction message={message} {...action} /> : message}</Measured>,
    role: tone === 'done' ? 'presentation' : 'alert',
    autoClose: action ? false : STAYS_FOR,
    icon: <Icon size={18} aria-hidden />,
    closeButtonProps: { 'aria-label': t('Dismiss') },
    classNames: { ...PARTS, root: `${styles['toast']} ${styles[tone]}` },
  });
}

/** Style properties of the document, so that what lies at its bottom makes room. */
const TOAST_HEIGHT = '--toast-height';
const KEYBOARD_HEIGHT = '--keyboard-height';

/** Publishes the toast's height while it is shown, and scrolls the focused field clear of it. */
function Measured({ children }: { children: ReactNode }) {
  const content = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = content.current?.closest(`.${styles['toast']}`);
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(TOAST_HEIGHT, `${element.clientHeight}px`);
      scrollClearOf(element);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(TOAST_HEIGHT);
    };
  }, []);
  return <span ref={content}>{children}</span>;
}

function scrollClearOf(toast: Element): void {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body || toast.contains(activeElement)) return;
  const [field, message] = [activeElement.getBoundingClientRect(), toast.getBoundingClientRect()];
  const isCovered = field.bottom > message.top && field.top < message.bottom && field.left < message.right && field.right > message.left;
  if (isCovered) activeElement.scrollIntoView({ block: 'center' });
}

/** Publishes the height of the on-screen keyboard, which covers the bottom of the page without resizing it. */
function useKeyboardHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty(KEYBOARD_HEIGHT, `${Math.max(0, innerHeight - viewport.height * viewport.scale)}px`);
    viewport.addEventListener('resize', measure);
    return () => viewport.removeEventListener('resize', measure);
  }, []);
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

/**
 * The live region for toasts, in one place where nothing can be pressed (docs/decisions/0005-the-dashboard.md). Toasts leave without a
 * transition, so that an old button can't be pressed.
 */
export function Toasts() {
  const isAfterStart = useIsAfterStart();
  const { online } = useNetwork();
  const [isLoaded, setLoaded] = useState(false);
  useKeyboardHeight();
  // Offline, it loads once the network is back, and then shows the pending toasts.
  useEffect(() => {
    if (isAfterStart && online) void fetchAhead(Notifications).then(setLoaded);
  }, [isAfterStart, online]);
  return (
    isLoaded && <Notifications role="status" autoClose={STAYS_FOR} transitionDuration={0} classNames={{ root: styles['region'] ?? '' }} />
  );
}
