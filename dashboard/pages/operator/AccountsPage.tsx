import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNT_RESTORE_WINDOW, type ListedAccount } from '#contract/account/account.ts';
import { costInWords } from '#contract/billing/billing.ts';
import { allAccountsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { OperatorsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { day, exactly } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useTypedName } from '../../ui/forms/useTypedName.tsx';
import { useNow } from '../../ui/hooks.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './AccountsPage.module.css';
import { Figure } from './Figure.tsx';
import { InviteBusiness } from './InviteBusiness.tsx';
import { OperatorPage } from './OperatorPage.tsx';
import { accountStatusOf } from './subscriptions.ts';
import { useReason } from './useReason.tsx';

export const AccountsPage = () => (
  <OperatorsOnly>
    <Accounts />
  </OperatorsOnly>
);

const columns = (isBilled: boolean) => ({
  [t('Name')]: 'minmax(160px, 2fr)',
  ...(isBilled && { [t('Plan')]: '100px' }),
  [t('Status')]: '120px',
  [t.in('column', 'Created')]: '120px',
  [t('Users')]: '64px',
  [t('Properties')]: '88px',
});

/** The list of all accounts. */
function Accounts() {
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState<string>();
  const [isOpen, panel] = useLayer('account');
  const query = useInfiniteQuery({
    ...allAccountsQuery(useSource(), search),
    select: ({ pages }) => pages.flatMap(({ accounts }) => accounts),
  });
  const open = query.data?.find(({ account }) => account.id === openId);
  const registration = usePublicConfig()?.registration;
  const isBilled = useIsBilled();
  const tools = (
    <>
      <SearchField label={t('Search name or id')} settles={300} onSearch={setSearch} />
      {registration !== 'closed' && <InviteBusiness />}
    </>
  );
  return (
    <OperatorPage title={t('Accounts')} search={tools}>
      <TestMode />
      <PagedList
        name={t('Accounts')}
        empty={t('No accounts.')}
        columns={columns(isBilled)}
        keyOf={({ account }) => account.id}
        search={search}
        query={query}
      >
        {(row) => (
          <AccountRow
            row={row}
            isBilled={isBilled}
            onOpen={() => {
              setOpenId(row.account.id);
              panel.open();
            }}
          />
        )}
      </PagedList>
      <SidePanel isOpen={isOpen && openId !== undefined} title={open?.account.data.displayName ?? t('Account')} onClose={panel.close}>
        {open && <AccountDetails key={openId} listed={open} onDeleted={panel.close} />}
      </SidePanel>
    </OperatorPage>
  );
}

interface AccountRowProps {
  readonly row: ListedAccount;
  readonly isBilled: boolean;
  readonly onOpen: () => void;
}

function AccountRow({ row, isBilled, onOpen }: AccountRowProps) {
  const { account, users, properties } = row;
  const { displayName, created, subscription } = account.data;
  const { label, tone } = accountStatusOf(row, { isBilled, now: useNow() });
  return (
    <div className={rowStyles['row']}>
      <button type="button" className={rowStyles['open']} onClick={onOpen}>
        {displayName}
      </button>
      {isBilled && <span className={rowStyles['quiet']}>{subscription.plan ?? t('No plan')}</span>}
      <span className={rowStyles['badge']} data-tone={tone}>
        {label}
      </span>
      <span className={rowStyles['quiet']}>{day(created)}</span>
      <Figure text={t.count(users, '{count}<unit> user</unit>', '{count}<unit> users</unit>')} />
      <Figure text={t.count(properties, '{count}<unit> property</unit>', '{count}<unit> properties</unit>')} />
    </div>
  );
}

/** An account's details, with a button to delete or restore it. */
function AccountDetails({ listed, onDeleted }: { listed: ListedAccount; onDeleted: () => void }) {
  const { account, users, properties, deletedAt } = listed;
  const { displayName, created, subscription } = account.data;
  const isBilled = useIsBilled();
  const { plan, paymentFrequency, phase, trialEndsAt } = subscription;
  const { label, when } = accountStatusOf(listed, { isBilled, now: useNow() });
  return (
    <div className={styles['details']}>
      <TestMode />
      <DescriptionList
        of={{
          [t('Id')]: <code>{account.id}</code>,
          [t.in('column', 'Created')]: exactly(created),
          [t('Plan')]: isBilled
            ? plan && paymentFrequency
              ? `${plan}, ${costInWords(t, plan, paymentFrequency)}`
              : (plan ?? t.in('plan', 'None'))
            : undefined,
          [t('Status')]: when === undefined ? label : `${label} (${when})`,
          [t('Trial ends')]: phase === 'trial' && trialEndsAt !== undefined ? exactly(trialEndsAt) : undefined,
          [t('Users')]: users,
          [t('Properties')]: properties,
          [t('Deleted')]: deletedAt === undefined ? undefined : exactly(deletedAt),
        }}
      />
      {deletedAt === undefined ? (
        <DeleteAccount id={account.id} name={displayName} onDeleted={onDeleted} />
      ) : (
        <>
          <Notice tone="plain">
            {t('Hidden from its team. Erased on {moment}.', { moment: exactly(deletedAt + ACCOUNT_RESTORE_WINDOW) })}
          </Notice>
          <Restore id={account.id} name={displayName} onDone={onDeleted} />
        </>
      )}
    </div>
  );
}

/** Restores a deleted account. */
function Restore({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  const restore = useAction('account', 'masterRestore');
  const submit = () =>
    restore.run({ accountId: id }, () => {
      onDone();
      toast(t('{name} was restored.', { name }));
    });
  return (
    <>
      <Button variant="default" loading={restore.isPending} onClick={() => void submit()}>
        {t('Restore')}
      </Button>
      <Notice tone="bad">{restore.failure}</Notice>
    </>
  );
}

function DeleteAccount({ id, name, onDeleted }: { id: string; name: string; onDeleted: () => void }) {
  const isOwn = useTeam().account.id === id;
  const [isAsking, asking] = useLayer('delete-account');
  const { reason, ...reasonInput } = useReason();
  const typedId = useTypedName(id, isAsking);
  const remove = useAction('account', 'masterDelete', { allowNotFound: true });
  const fresh = useFreshSignIn(remove, t('For your safety, enter your password to delete this account.'));

  const submit = () =>
    fresh.run(() =>
      remove.run({ accountId: id, reason }, () => {
        asking.close();
        onDeleted();
        toast(t('{name} was deleted.', { name }));
      }),
    );

  return (
    <div className={styles['danger']}>
      {isOwn && <p>{t('You’re signed in to this account.')}</p>}
      <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
        {t('Delete account')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Delete {name}?', { name })}
        inputs={[reasonInput, typedId, fresh]}
        action={{ ...fresh.action, label: t('Delete account'), run: () => void submit() }}
      >
        {t('Its team is signed out and its forms close immediately. It’s erased after seven days.')}
      </ConfirmDialog>
    </div>
  );
}
