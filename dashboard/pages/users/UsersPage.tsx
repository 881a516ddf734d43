import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#contract/user/user.ts';
import { usersQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { EditArea } from '../../frame/EditArea.tsx';
import { usePanel } from '../../frame/panel.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { ColumnHeads } from '../../ui/page/Columns.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { SpokenLabel } from '../../ui/Rich.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { LevelBadge, UserAvatar } from '../../ui/UserAvatar.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { matching } from './rules.ts';
import styles from './UsersPage.module.css';
import { useInvitationProblem } from './useInvitationProblem.ts';

export const UsersPage = () => (
  <AdminsOnly>
    <Users />
  </AdminsOnly>
);

/** The list of teammates and invited people. */
function Users() {
  const { users, account } = useTeam();
  const { isError, refetch } = useQuery(usersQuery(useSource(), account.id));
  const [search, setSearch] = useState('');
  const [isInviting, inviting] = useLayer('invite');
  const why = useReadOnly();
  const matches = matching(users, search);
  const invite = (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} disabled={why !== undefined} title={why} onClick={inviting.open}>
      {t('Invite user')}
    </Button>
  );
  return (
    <Page title={t('Users')} lead={t('Everyone with access to {name}', { name: account.data.displayName })} actions={invite}>
      {isError && <LoadFailed onRetry={refetch}>{t('We couldn’t load the users; this list may be old.')}</LoadFailed>}
      <div className={rowStyles['tools']}>
        <SearchField label={t('Search users')} onSearch={setSearch} />
        <span role="status" className="visually-hidden">
          {search && t.count(matches.length, '{count} result', '{count} results')}
        </span>
      </div>
      <div className={rowStyles['rows']}>
        {matches.length > 0 ? <UserRows users={matches} /> : <NoMatch search={search} />}
        {users.length === 1 && search === '' && <OnlyYou />}
      </div>
      <InviteDialog isOpen={isInviting} onClose={inviting.close} />
    </Page>
  );
}

const NoMatch = ({ search }: { search: string }) => (
  <EmptyState icon={<IconUserSearch size={32} stroke={1.5} aria-hidden />} title={t('No users match.')}>
    {t('No name or email contains “{search}”.', { search })}
  </EmptyState>
);

const OnlyYou = () => (
  <EmptyState icon={<IconUsers size={32} stroke={1.5} aria-hidden />} title={t('It’s only you so far.')}>
    {t('Invite the people who look after your visitors. They get an email with a link.')}
  </EmptyState>
);

/** A row for each person, which opens their panel. */
const UserRows = ({ users: people }: { users: readonly User[] }) => (
  <div className={styles['columns']}>
    <ColumnHeads titles={[t('Name'), t('Email'), t('Level'), t('Added')]} />
    <ul aria-label={t('Users')}>
      {people.map((person) => (
        <li key={person.id}>
          <UsersPageRow person={person} />
        </li>
      ))}
    </ul>
  </div>
);

function UsersPageRow({ person }: { person: User }) {
  const { user } = useTeam();
  const { open } = usePanel();
  const { displayName, emailAddress, level, created, invited } = person.data;
  const id = `row-${person.id}`;
  return (
    <div className={rowStyles['row']}>
      <button id={id} type="button" className={rowStyles['open']} onClick={() => open('user', { user: person.id, opener: id })}>
        <UserAvatar person={person} size={32} />
        <span>
          {displayName}
          {person.id === user.id && <span className={rowStyles['quiet']}> {t('(you)')}</span>}
        </span>
      </button>
      <span className={`${rowStyles['quiet']} ${rowStyles['below']}`}>{emailAddress}</span>
      <LevelBadge level={level} className={rowStyles['beside']} />
      {invited ? <Invited person={person} /> : <span className={`${rowStyles['quiet']} ${rowStyles['below']}`}>{day(created)}</span>}
    </div>
  );
}

/** The status of an invitation, with a button to resend it. */
function Invited({ person }: { person: User }) {
  const { id, data } = person;
  const problem = useInvitationProblem(person);
  const resend = useAction('user', 'resend');
  async function submit(): Promise<void> {
    if (await resend.run({ userId: id })) toast(t('Invitation resent to {email}.', { email: data.emailAddress }));
  }
  return (
    <span className={`${rowStyles['above']} ${rowStyles['below']}`}>
      {problem === undefined ? (
        <span className={rowStyles['badge']} data-tone="warn">
          {t('Invited')}
        </span>
      ) : (
        <span className={rowStyles['badge']} data-tone="bad" title={problem}>
          {t('Not delivered')}
        </span>
      )}
      <EditArea isQuiet>
        <Button size="compact-sm" variant="default" loading={resend.isPending} onClick={() => void submit()}>
          <SpokenLabel text={t('Resend<spoken> the invitation to {name}</spoken>', { name: data.displayName })} />
        </Button>
      </EditArea>
      <Notice tone="bad">{resend.failure}</Notice>
    </span>
  );
}
