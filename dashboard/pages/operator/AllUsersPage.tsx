import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allUsersQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { t } from '../../language.ts';
import { day, exactly } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { DescriptionList } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { LEVEL_LABELS, LevelBadge, UserAvatar } from '../../ui/UserAvatar.tsx';
import { OperatorPage } from './OperatorPage.tsx';
import { OperatorReset } from './OperatorReset.tsx';

export const AllUsersPage = () => (
  <OperatorsOnly>
    <AllUsers />
  </OperatorsOnly>
);

const columns = () => ({
  [t('Name')]: 'minmax(160px, 1.2fr)',
  [t('Email')]: 'minmax(180px, 1.5fr)',
  [t('Company')]: 'minmax(120px, 1fr)',
  [t('Level')]: '80px',
  [t.in('column', 'Added')]: '110px',
});

/** The users of all accounts. */
function AllUsers() {
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string>();
  const [isOpen, panel] = useLayer('user');
  const query = useInfiniteQuery({ ...allUsersQuery(useSource(), search), select: ({ pages }) => pages.flatMap(({ users }) => users) });
  const open = query.data?.find(({ user }) => user.id === openId);
  return (
    <OperatorPage title={t('All users')} search={<SearchField label={t('Search name, email or id')} settles={300} onSearch={setSearch} />}>
      <PagedList name={t('Users')} empty={t('No users.')} columns={columns()} keyOf={({ user }) => user.id} search={search} query={query}>
        {({ user, company }) => (
          <div className={rowStyles['row']}>
            <button
              type="button"
              className={rowStyles['open']}
              onClick={() => {
                setOpenId(user.id);
                panel.open();
              }}
            >
              <UserAvatar person={user} size={32} />
              {user.data.displayName}
            </button>
            <span className={`${rowStyles['quiet']} ${rowStyles['below']}`}>{user.data.emailAddress}</span>
            <span className={rowStyles['below']}>{company}</span>
            <LevelBadge level={user.data.level} className={rowStyles['beside']} />
            <span className={`${rowStyles['quiet']} ${rowStyles['below']}`}>
              {user.data.invited ? t('Invited') : day(user.data.created)}
            </span>
          </div>
        )}
      </PagedList>
      <SidePanel isOpen={isOpen && openId !== undefined} title={open?.user.data.displayName ?? t('User')} onClose={panel.close}>
        {open && (
          <>
            <DescriptionList
              of={{
                [t('Id')]: open.user.id,
                [t('Email')]: open.user.data.emailAddress,
                [t('Company')]: open.company,
                [t('Account id')]: open.user.data.accountId,
                [t('Level')]: t(LEVEL_LABELS[open.user.data.level]),
                [t.in('column', 'Added')]: exactly(open.user.data.created),
                [t('Status')]: open.user.data.invited ? t('Invited, not joined yet') : t('Active'),
              }}
            />
            {!open.user.data.invited && <OperatorReset key={open.user.id} person={open.user} />}
          </>
        )}
      </SidePanel>
    </OperatorPage>
  );
}
