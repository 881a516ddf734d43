import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { auditLogQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import rowStyles from '../../ui/Rows.module.css';
import { exactly, moment } from '../../ui/time.ts';
import { OperatorList, OperatorPage } from './OperatorPage.tsx';

export const AuditLogPage = () => (
  <OperatorsOnly>
    <AuditLog />
  </OperatorsOnly>
);

const ACTION_LABELS: Readonly<Record<string, string>> = {
  'accounts.listed': 'Looked at the accounts',
  'users.listed': 'Looked at the users',
  'account.deleted': 'Deleted an account',
};

/** What operators did, newest first. Nobody can change it. */
function AuditLog() {
  const [search, setSearch] = useState('');
  const { users } = useTeam();
  const nameOf = (id: string) => users.find((person) => person.id === id)?.data.displayName ?? id;
  const query = useInfiniteQuery(auditLogQuery(useSource(), search));
  return (
    <OperatorPage title="Audit log" searchLabel="Search by who or what" onSearch={setSearch}>
      <OperatorList
        name="Entries"
        columns="200px minmax(140px, 1fr) minmax(160px, 1fr) minmax(160px, 1.5fr)"
        heads={['When', 'What', 'Who', 'About']}
        rows={query.data?.pages.flatMap(({ entries }) => entries)}
        keyOf={({ id }) => id}
        search={search}
        query={query}
      >
        {({ at, act, by, subject, detail }) => (
          <div className={rowStyles['row']}>
            <time className={`${rowStyles['quiet']} ${rowStyles['wide']}`} dateTime={new Date(at).toISOString()} title={exactly(at)}>
              {moment(at)}
            </time>
            <strong className={rowStyles['wide']}>{ACTION_LABELS[act] ?? act}</strong>
            <span className={`${rowStyles['quiet']} ${rowStyles['wide']}`}>{nameOf(by)}</span>
            <span className={rowStyles['wide']}>{[subject, detail].filter(Boolean).join(': ')}</span>
          </div>
        )}
      </OperatorList>
    </OperatorPage>
  );
}
