import { IconLinkOff } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { TRANSACTION_ID } from '#contract/billing/subscription.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { NotAvailable } from '../../frame/Access.tsx';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { t } from '../../language.ts';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { Checkout } from './Checkout.tsx';
import { NoPayment, ToPlan } from './NoPayment.tsx';
import styles from './PayPage.module.css';
import type { CheckoutSetUp } from './paddle.ts';
import { readPaySearch } from './search.ts';

/** The payment page. It is open in every state of the subscription, and doesn't exist without billing. */
export function PayPage() {
  const billing = usePublicConfig()?.billing;
  if (!billing) return <div aria-busy />;
  return billing.checkout ? <Payment setUp={billing.checkout} /> : <NotAvailable />;
}

function Payment({ setUp }: { setUp: CheckoutSetUp }) {
  const { _ptxn: transactionId } = readPaySearch(useSearch({ strict: false }));
  useTitle(t('Payment'));
  return (
    <>
      <div className={styles['mark']}>
        <TestMode />
      </div>
      {transactionId === undefined ? (
        <NoPayment />
      ) : TRANSACTION_ID.test(transactionId) ? (
        <Checkout setUp={setUp} transactionId={transactionId} />
      ) : (
        <BrokenLink />
      )}
    </>
  );
}

const BrokenLink = () => (
  <EmptyState
    icon={<IconLinkOff size={32} stroke={1.5} aria-hidden />}
    title={<h1 tabIndex={-1}>{t('This payment link is not valid.')}</h1>}
    action={<ToPlan />}
  >
    {t('Part of it may be missing. Nothing was charged.')}
  </EmptyState>
);
