import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { MOST_UNREAD } from '#contract/notification/limits.ts';
import type { Notification } from '#contract/notification/notification.ts';
import { notificationsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { closeShown } from '../../session/push.ts';
import { useIsAfterStart } from '../../ui/hooks.ts';
import { ActionIcon } from '../../ui/theme/mantine.ts';
import { usePanel } from '../panel.ts';
import styles from './Frame.module.css';

const OPENER = 'open-notifications';

/** Shows how many notifications are unread, and opens them. */
export function Bell() {
  const { open, panel } = usePanel();
  const isAfterStart = useIsAfterStart();
  const query = { ...notificationsQuery(useSource()), enabled: isAfterStart || panel === 'notifications' };
  const pages = useInfiniteQuery(query).data?.pages;
  const unread = pages?.at(-1)?.unread ?? 0;
  const notifications = useMemo(() => pages?.flatMap((page) => page.notifications) ?? [], [pages]);
  useReadWithFeedback(notifications);
  useCloseReadPush(notifications, unread);
  return (
    <ActionIcon
      id={OPENER}
      variant="subtle"
      size="xl"
      className={styles['bell'] ?? ''}
      aria-haspopup="dialog"
      aria-label={unread === 0 ? t('Notifications') : t('Notifications, {count} unread', { count: unreadLabel(unread) })}
      onClick={() => open('notifications', { opener: OPENER })}
    >
      <IconBell size={20} aria-hidden />
      {unread > 0 && (
        <span className={styles['unread']} aria-hidden>
          {unreadLabel(unread)}
        </span>
      )}
    </ActionIcon>
  );
}

/** Shortens a count above the maximum. */
const unreadLabel = (unread: number): string => (unread < MOST_UNREAD ? String(unread) : `${MOST_UNREAD - 1}+`);

/** Closes this device's push notifications that have been read. */
function useCloseReadPush(notifications: readonly Notification[], unread: number): void {
  useEffect(() => {
    const read = new Set(notifications.filter(({ data }) => !data.unread).map(({ id }) => id));
    if (notifications.length > 0) void closeShown((id) => (id === undefined ? unread === 0 : read.has(id)));
  }, [notifications, unread]);
}

/** Marks the notifications about feedback as read when it's opened. */
function useReadWithFeedback(notifications: readonly Notification[]): void {
  const { id } = useSearch({ strict: false }) as { readonly id?: string };
  const { run } = useAction('notification', 'markRead');
  const hasUnread = notifications.some(({ data }) => data.unread && data.feedback?.id === id);
  const onOpened = useEffectEvent((feedbackId: string) => void run({ feedbackId }));
  useEffect(() => {
    if (id !== undefined && hasUnread) onOpened(id);
  }, [id, hasUnread]);
}
