import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SUBSCRIPTION_FILTERS } from '#contract/billing/billing.ts';
import { translatable } from '#contract/language/translate.ts';
import { subscriptionsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { NotAvailable, OperatorsOnly } from '../../frame/Access.tsx';
import { PagedList } from '../../frame/PagedList.tsx';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { t } from '../../language.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useNow } from '../../ui/hooks.ts';
import { SidePanel } from '../../ui/layers/SidePanel.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import rowStyles from '../../ui/page/Rows.module.css';
import { NativeSelect } from '../../ui/theme/mantine.ts';
import { BillingProblems } from './BillingProblems.tsx';
import { OperatorPage } from './OperatorPage.tsx';
import { SubscriptionDetails } from './SubscriptionDetails.tsx';
import { useSubscriptionsSearch } from './search.ts';
import { type ListedSubscription, planInWords, subscriptionStatusOf } from './subscriptions.ts';

export function SubscriptionsPage() {
  const isBilled = useIsBilled();
  return <OperatorsOnly>{isBilled ? <Subscriptions /> : <NotAvailable />}</OperatorsOnly>;
}

const FILTERS = translatable({
  all: 'All',
  trial: 'On trial',
  paid: 'Paid',
  due: 'Past due',
  ended: 'Ended',
  free: 'Free',
});

/** The list of subscriptions. */
function Subscriptions() {
  const [{ q = '', standing = 'all' }, change] = useSubscriptionsSearch();
  const [openId, setOpenId] = useState<string>();
  const [isOpen, panel] = useLayer('subscription');
  const query = useInfiniteQuery({
    ...subscriptionsQuery(useSource(), { search: q, standing }),
    select: ({ pages }) => pages.flatMap(({ subscriptions }) => subscriptions),
  });
  const open = query.data?.find(({ account }) => account.id === openId);
  const tools = (
    <>
      <SearchField label={t('Search name or id')} settles={300} value={q} onSearch={(text) => change({ q: text || undefined })} />
      <NativeSelect
        aria-label={t('Filter by status')}
        data={SUBSCRIPTION_FILTERS.map((value) => ({ value, label: t(FILTERS[value]) }))}
        value={standing}
        onChange={({ currentTarget }) => change({ standing: SUBSCRIPTION_FILTERS.find((value) => value === currentTarget.value) })}
      />
    </>
  );
  return (
    <OperatorPage title={t('Subscriptions')} search={tools}>
      <TestMode />
      <BillingProblems />
      <PagedList
        name={t('Subscriptions')}
        empty={t('No subscriptions.')}
        columns={{
          [t('Name')]: 'minmax(160px, 2fr)',
          [t('Plan')]: 'minmax(110px, 1fr)',
          [t('Status')]: '180px',
          [t.in('column', 'When')]: 'minmax(160px, 1.2fr)',
        }}
        keyOf={({ account }) => account.id}
        search={q || (standing === 'all' ? '' : standing)}
        query={query}
      >
        {(row) => (
          <SubscriptionRow
            row={row}
            onOpen={() => {
              setOpenId(row.account.id);
              panel.open();
            }}
          />
        )}
      </PagedList>
      <SidePanel isOpen={isOpen && openId !== undefined} title={open?.account.data.displayName ?? t('Subscription')} onClose={panel.close}>
        {open && <SubscriptionDetails key={openId} listed={open} onSynced={() => void query.refetch()} />}
      </SidePanel>
    </OperatorPage>
  );
}

function SubscriptionRow({ row: { account, isDoubled }, onOpen }: { row: ListedSubscription; onOpen: () => void }) {
  const { displayName, subscription } = account.data;
  const { label, tone, when } = subscriptionStatusOf(subscription, useNow());
  return (
    <div className={rowStyles['row']}>
      <button type="button" className={rowStyles['open']} onClick={onOpen}>
        {displayName}
      </button>
      <span className={rowStyles['quiet']}>{planInWords(subscription)}</span>
      <span className={rowStyles['above']}>
        <span className={rowStyles['badge']} data-tone={tone}>
          {label}
        </span>
        {isDoubled && (
          <span className={rowStyles['badge']} data-tone="bad">
            {t('Pays twice')}
          </span>
        )}
      </span>
      <span className={rowStyles['quiet']}>{when}</span>
    </div>
  );
}
