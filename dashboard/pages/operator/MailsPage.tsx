import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../data/errors.ts';
import { mailQueueQuery, webhookHealthQuery } from '../../data/queries.ts';
import type { Done } from '../../data/source.ts';
import { useSource } from '../../data/source.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { t } from '../../language.ts';
import { mailError } from '../../ui/format/mail-error.ts';
import { exactly } from '../../ui/format/time.ts';
import { NotLoaded } from '../../ui/messages/EmptyState.tsx';
import { ColumnHeads, type Columns, widthsOf } from '../../ui/page/Columns.tsx';
import { Card, DescriptionList } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Figure } from './Figure.tsx';
import { OperatorPage } from './OperatorPage.tsx';

export const MailsPage = () => (
  <OperatorsOnly>
    <Mails />
  </OperatorsOnly>
);

/** The queues of emails and webhook messages, with failures by host. */
function Mails() {
  const source = useSource();
  const mails = useQuery(mailQueueQuery(source));
  const webhooks = useQuery(webhookHealthQuery(source));
  return (
    <OperatorPage title={t('Mail and webhooks')}>
      {mails.data && <MailQueue queue={mails.data} />}
      {!mails.data && mails.error && (
        <NotLoaded title={t('We couldn’t load the mail queue.')} onRetry={mails.refetch}>
          {messageOf(mails.error)}
        </NotLoaded>
      )}
      {webhooks.data && <WebhookHealth health={webhooks.data} />}
      {!webhooks.data && webhooks.error && (
        <NotLoaded title={t('We couldn’t load the state of webhooks.')} onRetry={webhooks.refetch}>
          {messageOf(webhooks.error)}
        </NotLoaded>
      )}
    </OperatorPage>
  );
}

function MailQueue({ queue: { waiting, oldest, failed, hosts } }: { queue: Done<'delivery', 'queue'> }) {
  return (
    <>
      <Card title={t('Queued mail')}>
        <DescriptionList
          of={{
            [t('Waiting')]: String(waiting),
            [t('Waiting since')]: oldest === undefined ? undefined : exactly(oldest),
            [t('Failed in the last day')]: String(failed),
          }}
        />
      </Card>
      <Hosts
        name={t('Mail domains')}
        columns={{
          [t('Mail domain')]: 'minmax(140px, 1fr)',
          [t('Waiting')]: '80px',
          [t.in('column', 'Failed')]: '80px',
          [t('Last response')]: 'minmax(160px, 2fr)',
        }}
      >
        {hosts.map(({ host, waiting: waitingHere, failed: failedHere, lastError }) => (
          <HostRow key={host} host={host}>
            <Figure text={t('{count}<unit> waiting</unit>', { count: waitingHere })} />
            <Figure text={t('{count}<unit> failed</unit>', { count: failedHere })} />
            <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>{lastError !== undefined && mailError(lastError)}</span>
          </HostRow>
        ))}
      </Hosts>
    </>
  );
}

function WebhookHealth({ health: { waiting, oldest, failed, failing, gone, hosts } }: { health: Done<'webhook', 'health'> }) {
  return (
    <>
      <Card title={t('Messages to webhooks')}>
        <DescriptionList
          of={{
            [t('Waiting')]: String(waiting),
            [t('Waiting since')]: oldest === undefined ? undefined : exactly(oldest),
            [t('Failed in the last day')]: String(failed),
            [t('Failing')]: String(failing),
            [t('Receiver gone')]: String(gone),
          }}
        />
      </Card>
      <Hosts
        name={t('Unreachable hosts')}
        columns={{ [t('Host')]: 'minmax(140px, 1fr)', [t('Webhooks')]: '80px', [t('Failing since')]: 'minmax(160px, 2fr)' }}
      >
        {hosts.map(({ host, webhooks, since }) => (
          <HostRow key={host} host={host}>
            <Figure text={t.count(webhooks, '{count}<unit> webhook</unit>', '{count}<unit> webhooks</unit>')} />
            <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>
              <span className={rowStyles['unit']}>{t('Failing since')} </span>
              {exactly(since)}
            </span>
          </HostRow>
        ))}
      </Hosts>
    </>
  );
}

interface HostsProps {
  readonly name: string;
  readonly columns: Columns;
  readonly children: readonly ReactNode[];
}

function Hosts({ name, columns, children }: HostsProps) {
  if (children.length === 0) return null;
  return (
    <div className={rowStyles['rows']} style={widthsOf(columns)}>
      <ColumnHeads titles={Object.keys(columns)} />
      <ul aria-label={name}>{children}</ul>
    </div>
  );
}

const HostRow = ({ host, children }: { host: string; children: ReactNode }) => (
  <li>
    <div className={rowStyles['row']}>
      <strong className={rowStyles['wide']}>{host}</strong>
      {children}
    </div>
  </li>
);
