import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestsSentence } from '#contract/core/sentences.ts';
import {
  type FeedbackRequest,
  REQUEST_STATUSES,
  type RequestCounts,
  type RequestStatus,
} from '#contract/feedback-request/feedback-request.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { feedbackRequestsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { PagedList } from '../../../frame/PagedList.tsx';
import { t } from '../../../language.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { day, moment } from '../../../ui/format/time.ts';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { useLastDefined } from '../../../ui/hooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Card } from '../../../ui/page/Page.tsx';
import rowStyles from '../../../ui/page/Rows.module.css';
import { Button, NativeSelect } from '../../../ui/theme/mantine.ts';
import styles from './Requests.module.css';

const LABELS: Readonly<Record<RequestStatus, Untranslated>> = translatable({
  waiting: 'Waiting',
  sent: 'Sent',
  answered: 'Answered',
  unsubscribed: 'Unsubscribed',
  bounced: 'Not delivered',
  complained: 'Reported as spam',
  skipped: 'Not sent',
});
const TONES: Readonly<Record<RequestStatus, string>> = {
  waiting: 'accent',
  sent: '',
  answered: 'ok',
  unsubscribed: 'warn',
  bounced: 'bad',
  complained: 'bad',
  skipped: '',
};
const columns = () => ({ [t('Customer')]: 'minmax(0, 1fr)', [t('Status')]: '140px', ' ': '124px' });
const ALL = '';

/** A property's feedback requests with their status, and how many were answered. */
export function RequestList({ property }: { property: Property }) {
  const { id: propertyId } = property;
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<RequestStatus | typeof ALL>(ALL);
  const options = feedbackRequestsQuery(useSource(), { propertyId, search, ...(status !== ALL && { status }) });
  const query = useInfiniteQuery({ ...options, select: ({ pages }) => pages.flatMap(({ requests }) => requests) });
  // The same for each search and status.
  const counts = useLastDefined(useInfiniteQuery({ ...options, select: ({ pages }) => pages[0]?.counts }).data);
  const isUnused = counts !== undefined && Object.values(counts).every((count) => count === 0);
  return (
    <Card title={t('Who was asked')} lead={t('Answers aren’t connected with addresses: you see who answered, but not what.')}>
      {isUnused ? (
        <p className={styles['quiet']}>{t('Customers that you ask by email appear here, with the status of each email.')}</p>
      ) : (
        <div className={styles['list']}>
          {counts && counts.sent > 0 && <Results counts={counts} />}
          {counts && (
            <div className={rowStyles['tools']}>
              <SearchField label={t('Search by address or name')} settles={300} onSearch={setSearch} />
              <NativeSelect
                aria-label={t('Status')}
                value={status}
                onChange={({ currentTarget }) => setStatus(currentTarget.value as RequestStatus | typeof ALL)}
                data={[{ value: ALL, label: t('All') }, ...REQUEST_STATUSES.map((each) => ({ value: each, label: t(LABELS[each]) }))]}
              />
            </div>
          )}
          <PagedList
            name={t('Requests')}
            empty={t('No requests.')}
            columns={columns()}
            keyOf={({ id }) => id}
            search={search}
            query={query}
          >
            {(request) => <RequestRow request={request} zone={zoneOf(property)} />}
          </PagedList>
        </div>
      )}
    </Card>
  );
}

/** The parts of those who were asked, as a bar with its numbers below. */
function Results({ counts }: { counts: RequestCounts }) {
  const { sent, answered, unsubscribed, bounced, complained } = counts;
  const parts = [
    { label: t('Answered'), count: answered, tone: 'ok' },
    { label: t('No answer'), count: Math.max(0, sent - answered - unsubscribed - bounced - complained), tone: 'none' },
    { label: t('Unsubscribed'), count: unsubscribed, tone: 'warn' },
    { label: t('Not delivered'), count: bounced, tone: 'bad' },
    { label: t('Reported as spam'), count: complained, tone: 'bad' },
  ].filter(({ count }) => count > 0);
  return (
    <figure className={styles['results']}>
      <figcaption>{requestsSentence(t, counts)}</figcaption>
      <div className={styles['bar']} aria-hidden>
        {parts.map(({ label, count, tone }) => (
          <span key={label} data-tone={tone} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className={styles['legend']}>
        {parts.map(({ label, count, tone }) => (
          <li key={label} data-tone={tone}>
            {label}: {formatCount(count)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function RequestRow({ request: { id, data }, zone }: { request: FeedbackRequest; zone: string }) {
  const { email = t('Erased address'), name, status, due } = data;
  const cancel = useAction('feedbackRequest', 'cancel', { allowNotFound: true });
  const label = status === 'waiting' ? t('Cancel') : t('No reminder');
  return (
    <div className={rowStyles['row']}>
      <div className={`${styles['customer']} ${rowStyles['wide']}`}>
        <strong dir="auto">{email}</strong>
        <span className={styles['quiet']}>
          {name !== undefined && <bdi>{name}</bdi>}
          {name !== undefined && ' · '}
          {stateOf(data, zone)}
        </span>
        <Notice tone="bad">{cancel.failure}</Notice>
      </div>
      <span className={rowStyles['badge']} data-tone={TONES[status]}>
        {t(LABELS[status])}
      </span>
      {due === undefined ? (
        <span />
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          loading={cancel.isPending}
          aria-label={`${label}: ${email}`}
          onClick={() =>
            void cancel.run({ feedbackRequestIds: [id] }, () =>
              toast(status === 'waiting' ? t('No email is sent.') : t('No reminder is sent.')),
            )
          }
        >
          {label}
        </Button>
      )}
    </div>
  );
}

/** Returns what happens or happened to a request, and when. The day of an answer has no time, so that it can't be found by it. */
function stateOf({ status, due, sent, reminded, answered, created }: FeedbackRequest['data'], zone: string): string {
  if (status === 'waiting' && due !== undefined) return t('Due {date}', { date: moment(due, zone) });
  if (answered !== undefined) return day(answered, zone);
  if (sent === undefined) return t('Added {date}', { date: day(created, zone) });
  if (reminded !== undefined) return t('{date}, reminded {reminded}', { date: day(sent, zone), reminded: day(reminded, zone) });
  return due === undefined ? day(sent, zone) : t('{date}, reminder {due}', { date: day(sent, zone), due: day(due, zone) });
}
