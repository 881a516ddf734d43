import { IconUserPlus, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usersQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { AdminsOnly, DemoNote } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { Button, useDisclosure } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Page } from '../../ui/Page.tsx';
import rowStyles from '../../ui/Rows.module.css';
import { SearchField } from '../../ui/SearchField.tsx';
import { State } from '../../ui/State.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { matching } from './rules.ts';
import { UserRows } from './UserRows.tsx';

export const UsersPage = () => (
  <AdminsOnly>
    <Users />
  </AdminsOnly>
);

/** Who is in the team, and who was asked to be. */
function Users() {
  const { users, account, isDemo } = useTeam();
  const { isError, refetch } = useQuery(usersQuery(useSource(), account.id));
  const [words, setWords] = useState('');
  const [isInviting, inviting] = useDisclosure();
  const found = matching(users, words);
  const invite = (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} disabled={isDemo} onClick={inviting.open}>
      Invite user
    </Button>
  );
  return (
    <Page title="Users" lead={`Everybody who can sign in to ${account.data.displayName}`} actions={invite}>
      <DemoNote of="people" />
      {isError && (
        <Notice tone="bad">
          We couldn’t load the users; this list may be old. <TextLink onClick={() => void refetch()}>Try again</TextLink>
        </Notice>
      )}
      <div className={rowStyles['tools']}>
        <SearchField label="Search users" onSearch={setWords} />
        <span role="status" className="visually-hidden">
          {words && `${found.length} found`}
        </span>
      </div>
      <div className={rowStyles['rows']}>
        {found.length > 0 ? <UserRows users={found} /> : <NoMatch words={words} />}
        {users.length === 1 && words === '' && <OnlyYou />}
      </div>
      <InviteDialog isOpen={isInviting} onClose={inviting.close} />
    </Page>
  );
}

const NoMatch = ({ words }: { words: string }) => (
  <State icon={<IconUserSearch size={32} stroke={1.5} aria-hidden />} title="No user matches.">
    Nobody’s name or email has “{words}” in it.
  </State>
);

const OnlyYou = () => (
  <State icon={<IconUsers size={32} stroke={1.5} aria-hidden />} title="It’s only you so far.">
    Invite the people who look after your visitors. They get a mail with a link.
  </State>
);
