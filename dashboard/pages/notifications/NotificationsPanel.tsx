import { IconAt, IconDeviceTablet, IconFlag, IconMessage2, IconUser, IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { type Notification, notificationTitle, WANTS_CONTACT } from '#contract/notification/notification.ts';
import { notificationsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { LoadMore } from '../../frame/LoadMore.tsx';
import { useToolNames } from '../../frame/share/tools.ts';
import { personName, propertyName, propertyZone, type Team, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Face } from '../../ui/Face.tsx';
import { ago, exactly } from '../../ui/format/time.ts';
import { useDelayed, useNow } from '../../ui/hooks.ts';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './NotificationsPanel.module.css';

/** Your notifications, newest first, each with a link to its subject. */
export function NotificationsPanel() {
  const { paths } = useTeam();
  const query = useInfiniteQuery(notificationsQuery(useSource()));
  const readAll = useAction('notification', 'markAllRead');
  const isSlow = useDelayed(query.isPending);
  const list = useRef<HTMLUListElement>(null);
  const all = query.data?.pages.flatMap(({ notifications }) => notifications);
  const unread = query.data?.pages.at(-1)?.unread ?? 0;
  return (
    <section className={styles['panel']} aria-label={t('Your notifications')} aria-busy={query.isPending || undefined}>
      {unread > 0 && (
        <Button variant="default" size="compact-sm" className={styles['all'] ?? ''} onClick={() => void readAll.run({})}>
          {t('Mark all as read')}
        </Button>
      )}
      {readAll.failure !== undefined && (
        <p role="alert" className={styles['quiet']}>
          {readAll.failure}
        </p>
      )}
      {all?.length === 0 && <p className={styles['quiet']}>{t('You’re up to date.')}</p>}
      <ul ref={list} className={styles['list']} aria-label={t('Notifications, newest first')}>
        {all?.map((each) => (
          <Row key={each.id} notification={each} />
        ))}
        {query.isPending && isSlow && ROWS.map((row) => <li key={row} className={styles['skeleton']} />)}
      </ul>
      {query.isError && !all && (
        <p role="alert" className={styles['quiet']}>
          {t('We couldn’t load your notifications.')}{' '}
          <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
            {t('Retry')}
          </Button>
        </p>
      )}
      <LoadMore query={query} list={list} />
      <p className={styles['quiet']}>
        <Link to={paths.profile} replace>
          {t('Turn on notifications on this device')}
        </Link>
      </p>
    </section>
  );
}

const ROWS = [1, 2, 3];

/** One notification as a link. Opening it marks it as read. */
function Row({ notification: { id, data } }: { notification: Notification }) {
  const team = useTeam();
  const toolName = useToolNames();
  const now = useNow();
  const { run } = useAction('notification', 'markRead');
  const { kind, feedback, created, unread, words } = data;
  const place = feedback ?? (data.kiosk && { propertyId: data.kiosk.propertyId, toolId: data.kiosk.id });
  const zone = place && propertyZone(team, place.propertyId);
  const where = place && [propertyName(team, place.propertyId), toolName(place.toolId)].filter(Boolean).join(', ');
  return (
    <li>
      <Link
        {...addressOf(data, team)}
        // Replaces the panel's history entry, so that Back returns to the page it was opened on.
        replace
        className={styles['row']}
        data-unread={unread}
        onClick={() => unread && void run({ notificationIds: [id] })}
      >
        <span className={styles['sign']}>{signOf(data)}</span>
        <span className={styles['title']}>
          {unread && <span className="visually-hidden">{t('Unread.')} </span>}
          {notificationTitle(t, { ...data, rating: feedback?.rating, by: data.by === undefined ? undefined : personName(team, data.by) })}
        </span>
        <time className={styles['when']} dateTime={new Date(created).toISOString()} title={exactly(created, zone)}>
          {ago(created, now, zone)}
        </time>
        {words !== undefined && (
          <span className={styles['words']} dir="auto">
            {t('“{words}”', { words })}
          </span>
        )}
        {where !== undefined && (
          <span className={styles['where']}>
            {where}
            {feedback?.contact && kind !== 'contact' && <strong> · {t(WANTS_CONTACT)}</strong>}
          </span>
        )}
      </Link>
    </li>
  );
}

/** Kinds with an icon; the others show the rating's face. */
const SIGNS: { readonly [Kind in Notification['data']['kind']]?: typeof IconAt } = {
  message: IconMessage2,
  mention: IconAt,
  assigned: IconUser,
  webhook: IconWebhook,
  reported: IconFlag,
  kiosk: IconDeviceTablet,
};

function signOf({ kind, feedback }: Notification['data']): ReactNode {
  const Icon = SIGNS[kind];
  if (Icon) return <Icon size={20} aria-hidden />;
  return feedback && <Face rating={feedback.rating} size={24} />;
}

function addressOf(
  { kind, feedback, kiosk, count = 1 }: Notification['data'],
  { paths, user }: Team & Pick<ReturnType<typeof useTeam>, 'paths'>,
) {
  // Only admins can open the configuration.
  if (kiosk && user.data.level === 'admin') return { to: paths.propertyConfiguration(kiosk.propertyId), search: { tab: 'share' } };
  if (kiosk) return { to: paths.propertyFeedback(kiosk.propertyId) };
  if (!feedback) return { to: paths.webhooks };
  return { to: paths.feed, search: kind === 'assigned' && count > 1 ? { range: 'all', assignee: user.id } : { id: feedback.id } };
}
