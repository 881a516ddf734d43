import { useQuery } from '@tanstack/react-query';
import { MOST_ALERTS } from '#contract/alert/alert.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { translatable } from '#contract/language/translate.ts';
import type { ListedAlert } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import { alertsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { clock, exactly, moment } from '../../../ui/format/time.ts';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import styles from './History.module.css';

interface AlertsProps {
  readonly item: Feedback;
  /** The property's time zone; undefined uses the browser's. */
  readonly zone: string | undefined;
}

/** Lists who was alerted with what result, and why the reader wasn't. */
export function Alerts({ item, zone }: AlertsProps) {
  const team = useTeam();
  const { data: alerts, isError, refetch } = useQuery(alertsQuery(useSource(), item.id));
  if (isError)
    return (
      <p role="alert">
        {t('We couldn’t load the alerts.')} <TextLink onClick={() => void refetch()}>{t('Try again')}</TextLink>
      </p>
    );
  if (!alerts) return <p aria-busy>{t('Loading…')}</p>;
  const userId = team.user.id;
  const property = team.properties.find(({ id }) => id === item.data.projectId);
  return (
    <>
      <ul className={styles['entries']}>
        {alerts.map((alert) => (
          <li key={alert.userId}>
            <span>
              {personName(team, alert.userId)}: {resultOf(alert)}
            </span>
            <time dateTime={new Date(alert.created).toISOString()} title={exactly(alert.created, zone)}>
              {moment(alert.created, zone)}
            </time>
          </li>
        ))}
      </ul>
      {!alerts.some((alert) => alert.userId === userId) && <p>{reasonWithout({ item, property, userId })}</p>}
    </>
  );

  /** Returns whether a person was notified, including that no device could show it. */
  function resultOf({ result, openedBy, waitsFor, until, devices }: ListedAlert): string {
    const time = until === undefined ? '' : clock(until, zone);
    if (waitsFor === 'quiet') return t('held: quiet hours until {time}', { time });
    if (waitsFor === 'hour') return t('over {most} this hour: in the digest at {time}', { most: MOST_ALERTS, time });
    if (result === undefined) return t('being sent');
    if (result === 'opened') return t('already opened by {name}', { name: personName(team, openedBy ?? '') });
    return result === 'sent' && devices === 0 ? t('sent by email only; no device shows their notifications') : t(RESULTS[result]);
  }
}

const RESULTS = {
  sent: translatable('sent'),
  'sent-in-digest': translatable('sent in a digest'),
  deleted: translatable('deleted'),
  suspected: translatable('suspected'),
  'no-longer-urgent': translatable('no longer urgent'),
};

/** Returns why a person got no alert. */
function reasonWithout({ item: { gs1sk, data }, property, userId }: { item: Feedback; property: Property | undefined; userId: string }) {
  if (data.test) return t('You weren’t alerted: this is a test.');
  if (data.suspected) return t('You weren’t alerted: this feedback is set aside as suspected.');
  if (gs1sk !== 'URGENT') return t('You weren’t alerted: only ratings below Okay and visitors who ask to be contacted send alerts.');
  if (property && !property.data.notifications.complaints.includes(userId))
    return t('You weren’t alerted: you aren’t on the property’s list for complaints.');
  return t('You weren’t alerted: alerts are stored for 90 days, and go to people who were on the list when the feedback came in.');
}
