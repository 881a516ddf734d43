import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentFrequency } from '#contract/billing/billing.ts';
import type { Money, PlanPreview } from '#contract/billing/subscription.ts';
import { messageOf } from '../../../data/errors.ts';
import { planPreviewQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { AnnualSwitch, OFFERED_PLAN, PlanCard } from '../../../frame/plan/PlanCard.tsx';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { moneyInWords } from '../../../ui/format/money.ts';
import { day } from '../../../ui/format/time.ts';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { LoadFailed } from '../../../ui/messages/LoadFailed.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { DescriptionList } from '../../../ui/page/Page.tsx';
import styles from './PlanPanel.module.css';
import type { PlanView } from './plan-view.ts';

/** Changes a paid plan, or explains why it can't be changed now. */
export const ChangePlan = ({ blocked }: NonNullable<PlanView['changing']>) => (
  <section className={styles['part']} aria-labelledby="change-plan">
    <h3 id="change-plan">{t('Change plan')}</h3>
    {blocked === undefined ? <OtherPlan /> : <Aside>{blocked}</Aside>}
  </section>
);

/** The choice of a plan, with a preview of the price. */
function OtherPlan() {
  const { plan, paymentFrequency = 'Monthly' } = useTeam().account.data.subscription;
  const [frequency, setFrequency] = useState<PaymentFrequency>(paymentFrequency);
  const change = useAction('account', 'changePlan');
  const choice = { plan: OFFERED_PLAN, paymentFrequency: frequency } as const;
  const isSame = plan === OFFERED_PLAN && frequency === paymentFrequency;
  const preview = useQuery({ ...planPreviewQuery(useSource(), choice), enabled: !isSame });
  const missing = isSame ? t('This is your plan.') : preview.isFetching ? t('Loading the price…') : undefined;

  function choose(next: PaymentFrequency): void {
    change.reset();
    setFrequency(next);
  }

  return (
    <Form
      label={t('Change plan')}
      onSubmit={() => void change.run(choice, () => toast(frequency === 'Annual' ? t('You now pay annually.') : t('You now pay monthly.')))}
    >
      <AnnualSwitch frequency={frequency} isDisabled={change.isPending} onChange={choose} />
      <PlanCard plan={OFFERED_PLAN} frequency={frequency} Heading="h4" />
      {!isSame && preview.data && !preview.isFetching && <Preview preview={preview.data} />}
      {!isSame && preview.error && !preview.isFetching && <LoadFailed onRetry={preview.refetch}>{messageOf(preview.error)}</LoadFailed>}
      <Submit
        missing={missing ?? (preview.data ? undefined : t('The price isn’t available yet.'))}
        isPending={change.isPending}
        failure={change.failure}
      >
        {t('Change plan')}
      </Submit>
    </Form>
  );
}

/** The amounts as quoted by the provider. */
const Preview = ({ preview: { dueNow, credit, next, recurring } }: { preview: PlanPreview }) => (
  <div className={styles['preview']} role="status">
    <DescriptionList
      of={{
        [t('Due now')]: dueNow ? moneyInWords(dueNow) : t.in('amount', 'Nothing'),
        [t('Credit')]: credit && moneyInWords(credit),
        [t('Next bill')]: next && (next.at === undefined ? moneyInWords(next.total) : dueOn(next.total, next.at)),
        [t('After that')]: recurring && moneyInWords(recurring),
      }}
    />
    <Aside>
      {dueNow ? t('The amount due now is charged when you change the plan.') : t('Nothing is charged when you change the plan.')}
    </Aside>
  </div>
);

const dueOn = (amount: Money, at: number): string => t('{amount} on {date}', { amount: moneyInWords(amount), date: day(at) });
