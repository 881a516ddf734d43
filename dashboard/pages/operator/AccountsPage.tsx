import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedAccount } from '#contract/account.ts';
import { allAccountsQuery } from '../../data/master-queries.ts';
import { useSource } from '../../data/source.ts';
import { useDisclosure } from '../../ui/mantine.ts';
import styles from '../../ui/Rows.module.css';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { day } from '../../ui/time.ts';
import { AccountDetails } from './AccountDetails.tsx';
import { Listing } from './Listing.tsx';
import { ForOperators, MasterPage } from './OperatorPage.tsx';

export const AccountsPage = () => (
  <ForOperators>
    <Accounts />
  </ForOperators>
);

/** Every business. */
function Accounts() {
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string>();
  const [isOpen, panel] = useDisclosure();
  const query = useInfiniteQuery(allAccountsQuery(useSource(), search));
  const rows = query.data?.pages.flatMap(({ accounts }) => accounts);
  const open = rows?.find(({ account }) => account.id === openId);
  return (
    <MasterPage title="Accounts" searchLabel="Search name or id" onSearch={setSearch}>
      <Listing
        name="Accounts"
        columns="minmax(160px, 2fr) 100px 120px 120px 64px 88px"
        heads={['Name', 'Plan', 'Status', 'Created', 'Users', 'Properties']}
        rows={rows}
        keyOf={({ account }) => account.id}
        search={search}
        query={query}
      >
        {(row) => (
          <AccountRow
            row={row}
            onOpen={() => {
              setOpenId(row.account.id);
              panel.open();
            }}
          />
        )}
      </Listing>
      <SidePanel isOpen={isOpen} title={open?.account.data.displayName ?? 'Account'} onClose={panel.close}>
        {open && <AccountDetails key={openId} listed={open} onDeleted={panel.close} />}
      </SidePanel>
    </MasterPage>
  );
}

function AccountRow({ row: { account, users, properties, deletedAt }, onOpen }: { row: ListedAccount; onOpen: () => void }) {
  const { displayName, created, subscription } = account.data;
  const state = deletedAt === undefined ? subscription.status : 'deleted';
  return (
    <div className={styles['row']}>
      <button type="button" className={styles['open']} onClick={onOpen}>
        {displayName}
      </button>
      <span className={styles['quiet']}>{subscription.plan ?? 'No plan'}</span>
      <span className={styles['badge']} data-tone={TONES[state]}>
        {state.replace('_', ' ')}
      </span>
      <span className={styles['quiet']}>{day(created)}</span>
      <Count of={users} one="user" many="users" />
      <Count of={properties} one="property" many="properties" />
    </div>
  );
}

const TONES: Readonly<Record<string, string>> = { active: 'accent', trial: 'accent', past_due: 'warn', deleted: 'bad' };

const Count = ({ of, one, many }: { of: number; one: string; many: string }) => (
  <span className={styles['figure']}>
    {of}
    <span className={styles['unit']}> {of === 1 ? one : many}</span>
  </span>
);
