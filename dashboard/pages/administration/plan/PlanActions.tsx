import type { Account } from '#contract/account/account.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { ConfirmDialog } from '../../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Button } from '../../../ui/theme/mantine.ts';
import { NewTabButton } from './NewTabButton.tsx';
import styles from './PlanPanel.module.css';
import { useNewTab } from './useNewTab.ts';
import { usePayPage } from './usePayPage.ts';

/** Undoes a cancellation, or resumes a paused subscription. */
export function KeepPlan({ children }: { children: string }) {
  const keep = useAction('account', 'keepPlan');
  return (
    <div className={styles['action']}>
      <Button loading={keep.isPending} onClick={() => void keep.run({}, () => toast(t('Your subscription continues.')))}>
        {children}
      </Button>
      <Notice tone="bad">{keep.failure}</Notice>
    </div>
  );
}

/** Pays the amount due, or changes the card. */
export function ChangePayment({ isDue }: { isDue: boolean }) {
  const pay = usePayPage(useAction('account', 'changePayment'));
  return (
    <div className={styles['action']}>
      <Button variant={isDue ? 'filled' : 'default'} loading={pay.isPending} onClick={() => pay.go({})}>
        {isDue ? t('Update payment') : t('Change card')}
      </Button>
      <Notice tone="bad">{pay.failure}</Notice>
    </div>
  );
}

/** Opens the provider's billing page. Its address is requested on click, because it expires soon. */
export function PaymentPortal() {
  const tab = useNewTab(useAction('account', 'paymentPortal'));
  return (
    <div className={styles['action']}>
      <NewTabButton tab={tab} name={t('Billing details: billing address, cards and receipts, in a new tab')} onOpen={() => tab.open({})}>
        {t('Billing details')}
      </NewTabButton>
    </div>
  );
}

/** Cancels after a warning about the consequences. */
export function CancelPlan({ plan, children }: { plan: string | undefined; children: string }) {
  const [isAsking, asking] = useLayer('cancel-plan');
  const cancel = useAction('account', 'cancelPlan');

  function onCanceled({ account }: { readonly account: Account }): void {
    asking.close();
    const isLater = account.data.subscription.payment?.cancelAt !== undefined;
    toast(isLater ? t('Canceled. Everything works until it ends.') : t('Your subscription is canceled.'));
  }

  return (
    <section className={styles['part']} aria-labelledby="cancel-plan">
      <h3 id="cancel-plan">{t.in('plan', 'Cancel')}</h3>
      <div>
        <Button variant="default" c="var(--c-danger-text)" onClick={asking.open}>
          {t('Cancel subscription')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={plan === undefined ? t('Cancel your plan?') : t('Cancel {plan}?', { plan })}
        action={{ ...cancel, label: t('Cancel subscription'), dismissLabel: t('Keep it'), run: () => void cancel.run({}, onCanceled) }}
      >
        {children}
      </ConfirmDialog>
    </section>
  );
}
