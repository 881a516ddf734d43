import { useState } from 'react';
import { billedAmount, type PaymentFrequency } from '#contract/billing/billing.ts';
import { formatDollars } from '#contract/language/formats.ts';
import { useAction } from '../../../data/useAction.ts';
import { AnnualSwitch, OFFERED_PLAN, PlanCard } from '../../../frame/plan/PlanCard.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { day } from '../../../ui/format/time.ts';
import { Form, Submit } from '../../../ui/forms/Form.tsx';
import styles from './PlanPanel.module.css';
import type { PlanView } from './plan-view.ts';
import { usePayPage } from './usePayPage.ts';

/** Chooses a plan and continues to the checkout. */
export function BuyPlan({ chargedFrom }: NonNullable<PlanView['buying']>) {
  const { subscription } = useTeam().account.data;
  const [frequency, setFrequency] = useState<PaymentFrequency>(subscription.paymentFrequency ?? 'Annual');
  const pay = usePayPage(useAction('account', 'checkout'));
  const price = formatDollars(t, billedAmount(OFFERED_PLAN, frequency));
  return (
    <section className={styles['part']} aria-labelledby="buy-plan">
      <h3 id="buy-plan">{t('Choose your plan')}</h3>
      <Form label={t('Choose your plan')} onSubmit={() => pay.go({ plan: OFFERED_PLAN, paymentFrequency: frequency })}>
        <AnnualSwitch frequency={frequency} isDisabled={pay.isPending} onChange={setFrequency} />
        <PlanCard plan={OFFERED_PLAN} frequency={frequency} Heading="h4" />
        <p className={styles['due']} aria-live="polite">
          {t('Due today {price}', { price: chargedFrom === 'now' ? price : formatDollars(t, 0) })}
          <span>
            {chargedFrom !== 'now' &&
              `${t('{price} on {date}, when the trial ends. Cancel before then and nothing is charged.', { price, date: day(chargedFrom) })} `}
            {t('Taxes, where they apply, are shown before you pay.')}
          </span>
        </p>
        <Submit isPending={pay.isPending} failure={pay.failure}>
          {t('Continue to payment')}
        </Submit>
      </Form>
    </section>
  );
}
