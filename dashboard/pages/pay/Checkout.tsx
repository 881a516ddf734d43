import { IconCreditCard, IconCreditCardOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePersisted } from '../../data/persisted.ts';
import { t } from '../../language.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { Button, Loader } from '../../ui/theme/mantine.ts';
import { beginCheckout, type CheckoutState, reopenCheckout, useCheckout } from './checkout.ts';
import { ToPlan } from './NoPayment.tsx';
import { Paid } from './Paid.tsx';
import styles from './PayPage.module.css';
import type { CheckoutSetUp } from './paddle.ts';

interface CheckoutProps {
  readonly setUp: CheckoutSetUp;
  readonly transactionId: string;
}

/** The page below the provider's checkout, and its outcome. */
export function Checkout({ setUp, transactionId }: CheckoutProps) {
  const theme = usePersisted((persisted) => persisted.theme);
  const state = useCheckout();
  useEffect(() => beginCheckout({ setUp, transactionId, theme }), [setUp, transactionId, theme]);
  if (state.at === 'completed') return <Paid transactionId={transactionId} />;
  return <View key={state.at} state={state} />;
}

function View({ state }: { state: Exclude<CheckoutState, { at: 'completed' }> }) {
  switch (state.at) {
    case 'opening':
      return <Opening />;
    case 'open':
      return (
        <EmptyState
          icon={<IconCreditCard size={32} stroke={1.5} aria-hidden />}
          title={<h1 tabIndex={-1}>{t('Finish the payment in the checkout.')}</h1>}
        >
          {t('It opens on top of this page. Our payment provider takes the payment; we never see your card.')}
        </EmptyState>
      );
    case 'closed':
      return (
        <Stopped title={t('Payment not finished')} action={<Again />}>
          {t('You closed the checkout before the payment was made.')}
        </Stopped>
      );
    case 'failed':
      return (
        <Stopped title={t('The checkout didn’t work')} action={<Again />}>
          {state.why === undefined
            ? t('The payment provider gave no reason.')
            : t('The payment provider reported: {why}', { why: state.why })}
        </Stopped>
      );
    case 'blocked':
      return (
        <Stopped title={t('The checkout didn’t load')} action={<Reload />}>
          {t('The connection may be slow, or an ad blocker or your network may be blocking the payment provider. Nothing was charged.')}
        </Stopped>
      );
    case 'silent':
      return (
        <Stopped title={t('The checkout doesn’t open')} action={<Reload />}>
          {t(
            'The payment provider responded but showed nothing. If reloading doesn’t help, the link may have expired. Start again from your plan.',
          )}
        </Stopped>
      );
  }
}

/** Shows a spinner only if opening takes long. */
function Opening() {
  const isLong = useDelayed(true);
  return (
    <EmptyState
      icon={<span className={styles['wait']}>{isLong && <Loader size="sm" aria-hidden />}</span>}
      title={<h1 tabIndex={-1}>{t('Opening secure checkout…')}</h1>}
    />
  );
}

/** Takes the focus, which was in the checkout. */
function Stopped({ title, action, children }: Record<'title' | 'children', string> & { action: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <EmptyState
      icon={<IconCreditCardOff size={32} stroke={1.5} aria-hidden />}
      title={
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      }
      action={
        <div className={styles['actions']}>
          {action}
          <ToPlan isQuiet />
        </div>
      }
    >
      {children}
    </EmptyState>
  );
}

const Again = () => <Button onClick={reopenCheckout}>{t('Open checkout again')}</Button>;

/** The provider's script can be loaded only once per page. */
const Reload = () => <Button onClick={() => location.reload()}>{t('Reload')}</Button>;
