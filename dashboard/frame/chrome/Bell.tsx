import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { MOST_UNREAD, type Notification } from '#contract/notification/notification.ts';
import { notificationsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { closeShown } from '../../session/push.ts';
import { useIsAfterStart } from '../../ui/hooks.ts';
import { ActionIcon } from '../../ui/theme/mantine.ts';
import { usePanel } from '../panel.ts';
import styles from './Frame.module.css';

const OPENER = 'open-notifications';

/** How much this person was told and has not read; opens it. */
export function Bell() {
  const { open, panel } = usePanel();
  const isAfterStart = useIsAfterStart();
  const query = { ...notificationsQuery(useSource()), enabled: isAfterStart || panel === 'notifications' };
  const pages = useInfiniteQuery(query).data?.pages;
  const unread = pages?.at(-1)?.unread ?? 0;
  const told = useMemo(() => pages?.flatMap(({ notifications }) => notifications) ?? [], [pages]);
  useReadWithFeedback(told);
  useClosedScreens(told, unread);
  return (
    <ActionIcon
      id={OPENER}
      variant="subtle"
      size="xl"
      className={styles['bell'] ?? ''}
      aria-haspopup="dialog"
      aria-label={unread === 0 ? 'Notifications' : `Notifications, ${shown(unread)} unread`}
      onClick={() => open('notifications', { opener: OPENER })}
    >
      <IconBell size={20} aria-hidden />
      {unread > 0 && (
        <span className={styles['unread']} aria-hidden>
          {shown(unread)}
        </span>
      )}
    </ActionIcon>
  );
}

/** Nobody counts further. */
const shown = (unread: number): string => (unread < MOST_UNREAD ? String(unread) : `${MOST_UNREAD - 1}+`);

/** What this device still shows and is over is taken away. */
function useClosedScreens(told: readonly Notification[], unread: number): void {
  useEffect(() => {
    const read = new Set(told.filter(({ data }) => !data.unread).map(({ id }) => id));
    if (told.length > 0) void closeShown((id) => (id === undefined ? unread === 0 : read.has(id)));
  }, [told, unread]);
}

/** Whoever opens feedback has read what they were told about it. */
function useReadWithFeedback(told: readonly Notification[]): void {
  const { id } = useSearch({ strict: false }) as { readonly id?: string };
  const { run } = useAction('notification', 'markRead');
  const isTold = told.some(({ data }) => data.unread && data.feedback?.id === id);
  const onOpened = useEffectEvent((feedbackId: string) => void run({ feedbackId }));
  useEffect(() => {
    if (id !== undefined && isTold) onOpened(id);
  }, [id, isTold]);
}
