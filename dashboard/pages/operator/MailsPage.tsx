import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../data/errors.ts';
import { mailQueueQuery, webhookHealthQuery } from '../../data/queries.ts';
import type { Done } from '../../data/source.ts';
import { useSource } from '../../data/source.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { t } from '../../language.ts';
import { exactly } from '../../ui/format/time.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { ColumnHeads, type Columns, widthsOf } from '../../ui/page/Columns.tsx';
import { Card, DescriptionList } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button } from '../../ui/theme/mantine.ts';
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
      {mails.data ? <MailQueue queue={mails.data} /> : <NotLoaded what="the mail queue" {...mails} />}
      {webhooks.data ? <WebhookHealth health={webhooks.data} /> : <NotLoaded what="the state of webhooks" {...webhooks} />}
    </OperatorPage>
  );
}

function NotLoaded({ what, error, refetch }: { what: string; error: Error | null; refetch: () => unknown }) {
  return (
    error && (
      <EmptyState
        role="alert"
        title={`We couldn’t load ${what}.`}
        action={<Button onClick={() => void refetch()}>{t('Try again')}</Button>}
      >
        {messageOf(error)}
      </EmptyState>
    )
  );
}

function MailQueue({ queue: { waiting, oldest, failed, hosts } }: { queue: Done<'delivery', 'queue'> }) {
  return (
    <>
      <Card title={t('Queued mail')}>
        <DescriptionList
          of={{
            Waiting: String(waiting),
            'Waiting since': oldest === undefined ? undefined : exactly(oldest),
            'Failed in the last day': String(failed),
          }}
        />
      </Card>
      <Hosts
        name="Mail domains"
        columns={{ 'Mail domain': 'minmax(140px, 1fr)', Waiting: '80px', Failed: '80px', 'Last response': 'minmax(160px, 2fr)' }}
      >
        {hosts.map(({ host, waiting: waitingHere, failed: failedHere, lastError }) => (
          <HostRow key={host} host={host}>
            <Figure of={waitingHere} what="waiting" />
            <Figure of={failedHere} what="failed" />
            <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>{lastError}</span>
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
            Waiting: String(waiting),
            'Waiting since': oldest === undefined ? undefined : exactly(oldest),
            'Failed in the last day': String(failed),
            Failing: String(failing),
            'Receiver gone': String(gone),
          }}
        />
      </Card>
      <Hosts name="Unreachable hosts" columns={{ Host: 'minmax(140px, 1fr)', Webhooks: '80px', 'Failing since': 'minmax(160px, 2fr)' }}>
        {hosts.map(({ host, webhooks, since }) => (
          <HostRow key={host} host={host}>
            <Figure of={webhooks} what={webhooks === 1 ? 'webhook' : 'webhooks'} />
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

const Figure = ({ of, what }: { of: number; what: string }) => (
  <span className={rowStyles['figure']}>
    {of}
    <span className={rowStyles['unit']}> {what}</span>
  </span>
);
