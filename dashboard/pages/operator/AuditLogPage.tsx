import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { COMMAND_LINE } from '#contract/event/event.ts';
import { translatable } from '#contract/language/translate.ts';
import { auditLogQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { exactly, moment } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { OperatorPage } from './OperatorPage.tsx';

export const AuditLogPage = () => (
  <OperatorsOnly>
    <AuditLog />
  </OperatorsOnly>
);

const ACTION_LABELS = translatable({
  'accounts.listed': 'Viewed the accounts',
  'users.listed': 'Viewed the users',
  'user.second-factor-seen': 'Viewed a person’s two-step sign-in',
  'user.second-factor-reset-requested': 'Requested a two-step sign-in reset',
  'user.second-factor-reset-cancelled': 'Withdrew a two-step sign-in reset',
  'user.second-factor-reset-refused': 'Two-step sign-in reset refused',
  'user.second-factor-reset': 'Two-step sign-in was reset',
  'messages.listed': 'Viewed the messages',
  'message.screenshot-seen': 'Viewed the screenshot of a message',
  'message.handled': 'Changed a message’s status',
  'message.deleted': 'Deleted a message',
  'account.invited': 'Invited a business',
  'account.deleted': 'Deleted an account',
  'deliveries.looked-at': 'Viewed the mail queue',
  'webhooks.looked-at': 'Viewed the state of webhooks',
  'subscriptions.listed': 'Viewed the subscriptions',
  'subscription.extended': 'Extended a trial',
  'subscription.given-free': 'Gave the Beta plan',
  'subscription.synced': 'Synced an account with the payment provider',
  'billing-event.replayed': 'Reapplied an event from the payment provider',
  'account.restored': 'Restored an account',
  'account.exported': 'Exported an account',
  'user.password-reset-mailed': 'Emailed a link for a new password',
  'operator.invited': 'Emailed a link to an operator',
  'mail.tested': 'Sent a test email',
  'backup.taken': 'Made a backup',
});

const isLabeled = (act: string): act is keyof typeof ACTION_LABELS => Object.hasOwn(ACTION_LABELS, act);

/** The operators' actions, newest first. The log is immutable. */
function AuditLog() {
  const [search, setSearch] = useState('');
  const { users } = useTeam();
  const nameOf = (id: string) =>
    id === COMMAND_LINE ? t('Command line') : (users.find((person) => person.id === id)?.data.displayName ?? id);
  const query = useInfiniteQuery({ ...auditLogQuery(useSource(), search), select: ({ pages }) => pages.flatMap(({ entries }) => entries) });
  return (
    <OperatorPage
      title={t('Audit log')}
      search={<SearchField label={t('Search by person or action')} settles={300} onSearch={setSearch} />}
    >
      <PagedList
        name={t('Entries')}
        empty={t('No entries.')}
        columns={{
          [t.in('column', 'When')]: '200px',
          [t.in('column', 'What')]: 'minmax(140px, 1fr)',
          [t.in('column', 'Who')]: 'minmax(160px, 1fr)',
          [t.in('column', 'About')]: 'minmax(160px, 1.5fr)',
        }}
        keyOf={({ id }) => id}
        search={search}
        query={query}
      >
        {({ at, act, by, subject, detail }) => (
          <div className={rowStyles['row']}>
            <time className={`${rowStyles['quiet']} ${rowStyles['wide']}`} dateTime={new Date(at).toISOString()} title={exactly(at)}>
              {moment(at)}
            </time>
            <strong className={rowStyles['wide']}>{isLabeled(act) ? t(ACTION_LABELS[act]) : act}</strong>
            <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>{nameOf(by)}</span>
            <span className={rowStyles['wide']}>{[subject, detail].filter(Boolean).join(': ')}</span>
          </div>
        )}
      </PagedList>
    </OperatorPage>
  );
}
