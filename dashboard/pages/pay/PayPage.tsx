import { IconLinkOff, IconReceiptOff } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { TRANSACTION_ID } from '#contract/subscription.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { useTeam } from '../../frame/team.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTitle } from '../../ui/hooks.ts';
import { Button } from '../../ui/mantine.ts';
import { Checkout } from './Checkout.tsx';
import { NoPayment, ToPlan } from './NoPayment.tsx';
import { readPaySearch } from './search.ts';

/** Where a payment is made, whatever the subscription says; nobody of the team is kept from paying. */
export function PayPage() {
  const billing = usePublicConfig()?.billing;
  const { _ptxn: transactionId } = readPaySearch(useSearch({ strict: false }));
  useTitle('Payment');
  if (!billing) return <div aria-busy />;
  if (billing.kind === 'none' || !billing.checkout) return <NotBilled />;
  if (transactionId === undefined) return <NoPayment />;
  if (!TRANSACTION_ID.test(transactionId)) return <BrokenLink />;
  return <Checkout setUp={billing.checkout} transactionId={transactionId} />;
}

/** Nobody pays here. */
function NotBilled() {
  const { paths } = useTeam();
  return (
    <EmptyState
      icon={<IconReceiptOff size={32} stroke={1.5} aria-hidden />}
      title={<h1 tabIndex={-1}>Nothing is to be paid.</h1>}
      action={
        <Button component={Link} to={paths.feed}>
          Go to feedback
        </Button>
      }
    />
  );
}

const BrokenLink = () => (
  <EmptyState
    icon={<IconLinkOff size={32} stroke={1.5} aria-hidden />}
    title={<h1 tabIndex={-1}>This payment link is not valid.</h1>}
    action={<ToPlan />}
  >
    A part of it may be missing. Nothing was charged.
  </EmptyState>
);
