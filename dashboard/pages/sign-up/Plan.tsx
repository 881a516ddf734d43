import { useState } from 'react';
import type { Account } from '#contract/account/account.ts';
import { costInWords, type PaymentFrequency, TRIAL_DAYS, trialEnd } from '#contract/billing/billing.ts';
import { formatDollars } from '#contract/language/formats.ts';
import { useAction } from '../../data/useAction.ts';
import { AnnualSwitch, OFFERED_PLAN, PlanCard } from '../../frame/plan/PlanCard.tsx';
import { TestMode } from '../../frame/plan/TestMode.tsx';
import { t } from '../../language.ts';
import { day } from '../../ui/format/time.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import styles from './Plan.module.css';
import { failureOf } from './steps.ts';

interface ChoosePlanProps {
  readonly account: Account;
  /** Called once the plan is saved. */
  readonly onChosen: () => void;
}

/** The second step: the only plan, monthly or annually. */
export function ChoosePlan({ account, onChosen }: ChoosePlanProps) {
  const [frequency, setFrequency] = useState<PaymentFrequency>(account.data.subscription.paymentFrequency ?? 'Annual');
  const choose = useAction('account', 'choosePlan');

  return (
    <Form onSubmit={() => void choose.run({ plan: OFFERED_PLAN, paymentFrequency: frequency }, onChosen)}>
      <div className={styles['head']}>
        <ViewHeading>{t('Monthly Or Annual')}</ViewHeading>
        <AnnualSwitch frequency={frequency} onChange={setFrequency} />
      </div>
      <TestMode />
      <PlanCard plan={OFFERED_PLAN} frequency={frequency} Heading="h2" />
      <div className={styles['trial']}>
        <p>{t('All plans come with a {days} day free trial', { days: TRIAL_DAYS })}</p>
        <p>{t('No card is needed now.')}</p>
      </div>
      <Submit isPending={choose.isPending} failure={failureOf(choose)}>
        {t('Choose plan')}
      </Submit>
    </Form>
  );
}

interface ReviewPlanProps {
  readonly account: Account;
  readonly onChange: () => void;
  readonly onStarted: () => void;
}

/** The third step: reviews the choice. Nothing is due yet. */
export function ReviewPlan({ account, onChange, onStarted }: ReviewPlanProps) {
  const start = useAction('account', 'startTrial');
  const { plan = OFFERED_PLAN, paymentFrequency = 'Monthly', trialEndsAt } = account.data.subscription;
  const [firstBill] = useState(() => trialEndsAt ?? trialEnd(Date.now()));
  return (
    <Form onSubmit={() => void start.run({}, onStarted)}>
      <ViewHeading>{t('Review Your Plan')}</ViewHeading>
      <TestMode />
      <dl className={styles['facts']}>
        <Fact name={t('Plan')}>{plan}</Fact>
        <Fact name={t('Pay frequency')}>{paymentFrequency === 'Annual' ? t('Annual') : t('Monthly')}</Fact>
        <Fact name={t('Plan cost')}>{costInWords(t, plan, paymentFrequency)}</Fact>
      </dl>
      <TextLink onClick={onChange}>{t('Change plan')}</TextLink>
      <p className={styles['due']}>
        {t('Due today {price}', { price: formatDollars(t, 0) })}
        <span>{t('Your {days} day free trial runs until {date}. No card is needed now.', { days: TRIAL_DAYS, date: day(firstBill) })}</span>
      </p>
      <Submit isPending={start.isPending} failure={failureOf(start)}>
        {t('Sign up')}
      </Submit>
    </Form>
  );
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
