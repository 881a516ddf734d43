import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { translatable } from '#contract/language/translate.ts';
import type { Delivery, DeliveryStatus } from '#contract/notification/delivery.ts';
import { deliveriesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { MailHint } from '../../frame/security/MailHint.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { mailError } from '../../ui/format/mail-error.ts';
import { exactly, moment } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button, SegmentedControl } from '../../ui/theme/mantine.ts';
import styles from './DeliveriesPage.module.css';

export const DeliveriesPage = () => (
  <AdminsOnly>
    <Deliveries />
  </AdminsOnly>
);

const ALL = 'all';
type StateChoice = typeof ALL | 'failed' | 'queued';

/** Every email and push notification to the team and to visitors, with its status. */
function Deliveries() {
  const { account } = useTeam();
  const [search, setSearch] = useState('');
  const [state, setState] = useState<StateChoice>(ALL);
  const status = state === ALL ? undefined : state;
  const query = useInfiniteQuery({
    ...deliveriesQuery(useSource(), { accountId: account.id, search, status }),
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
  return (
    <Page
      title={t('Sent messages')}
      lead={t('Every email and notification to your team and visitors, and whether it was delivered.')}
      actions={<TestButton />}
    >
      <MailHint />
      <div className={rowStyles['tools']}>
        <SearchField label={t('Search by address or subject')} settles={300} onSearch={setSearch} />
        <SegmentedControl
          aria-label={t('State')}
          data={[
            { value: ALL, label: t('All') },
            { value: 'failed', label: t(STATUS_LABELS.failed) },
            { value: 'queued', label: t(STATUS_LABELS.queued) },
          ]}
          value={state}
          onChange={(value) => setState(value as StateChoice)}
          withItemsBorders={false}
        />
      </div>
      <PagedList
        name={state === 'failed' ? t('Failed messages') : state === 'queued' ? t('Waiting messages') : t('Messages')}
        empty={state === 'failed' ? t('No failed messages.') : state === 'queued' ? t('No waiting messages.') : t('No messages.')}
        keyOf={({ id }) => id}
        search={search}
        query={query}
      >
        {(delivery) => <DeliveryRow delivery={delivery} />}
      </PagedList>
    </Page>
  );
}

/** Sends yourself a test email. */
function TestButton() {
  const test = useAction('delivery', 'test');
  const send = () => void test.run({}, ({ delivery }) => toast(t('A test is on its way to {email}.', { email: delivery.data.to })));
  return (
    <span className={styles['test']}>
      <Button variant="default" loading={test.isPending} onClick={send}>
        {t('Send me a test')}
      </Button>
      <Notice tone="bad">{test.failure}</Notice>
    </span>
  );
}

const STATUS_LABELS = translatable({ queued: 'Waiting', sent: 'Sent', failed: 'Failed' } satisfies Record<DeliveryStatus, string>);
const TONES: Readonly<Record<DeliveryStatus, string>> = { queued: 'accent', sent: 'ok', failed: 'bad' };

function DeliveryRow({ delivery: { id, data } }: { delivery: Delivery }) {
  const { channel, to, subject, status, created, lastError, latest } = data;
  return (
    <article className={styles['delivery']} aria-label={t('{subject}, to {to}', { subject, to })}>
      <p className={styles['head']}>
        <strong>{subject}</strong>
        <span className={rowStyles['badge']} data-tone={TONES[status]}>
          {t(STATUS_LABELS[status])}
        </span>
      </p>
      <p className={styles['facts']}>
        <span>{channel === 'email' ? t('Email to {to}', { to }) : t('Notification to {to}', { to })}</span>
        <time dateTime={new Date(created).toISOString()} title={exactly(created)}>
          {moment(created)}
        </time>
      </p>
      {lastError !== undefined && (
        <p className={styles['facts']}>
          {mailError(lastError)}.{status === 'queued' && ` ${t('Retrying.')}`}
        </p>
      )}
      {latest.length > 0 && (lastError !== undefined || latest.length > 1) && <Tries delivery={data} />}
      {status === 'failed' && <Again id={id} mayRetry={data.mayRetry} />}
    </article>
  );
}

/** The result of each attempt. */
const Tries = ({ delivery: { channel, attempts, latest } }: { delivery: Delivery['data'] }) => (
  <details className={styles['tries']}>
    <summary>{t.count(attempts, 'Tried once', 'Tried {count} times')}</summary>
    <ol>
      {latest.map(({ at, error }) => (
        <li key={at}>
          <time dateTime={new Date(at).toISOString()}>{exactly(at)}</time>:{' '}
          {error === undefined
            ? channel === 'push'
              ? t('accepted by the push service')
              : t('accepted by the mail server')
            : mailError(error)}
        </li>
      ))}
    </ol>
  </details>
);

/** Resends the message while its content is stored. */
function Again({ id, mayRetry }: { id: string; mayRetry: boolean }) {
  const retry = useAction('delivery', 'retry');
  if (!mayRetry) return <p className={styles['facts']}>{t('Content is stored for a week, so this can’t be sent again.')}</p>;
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        loading={retry.isPending}
        onClick={() => void retry.run({ deliveryId: id }, () => toast(t('Sending again.')))}
      >
        {t('Send again')}
      </Button>
      <Notice tone="bad">{retry.failure}</Notice>
    </div>
  );
}
