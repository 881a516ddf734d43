import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import { annualSavings, TRIAL_DAYS } from '#contract/billing.ts';
import { useAction } from '../../data/useAction.ts';
import { Form, Submit } from '../../ui/Form.tsx';
import { Switch } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Heading } from '../../ui/Panel.tsx';
import styles from './Plan.module.css';
import { PlanCard } from './PlanCard.tsx';
import { failureOf } from './steps.ts';

interface ChoosePlanProps {
  readonly account: Account;
  /** The plan is chosen, or the one of before stays. */
  readonly onChosen: () => void;
}

const PLAN = 'Pro';

/** The second step: the one plan there is, by the month or by the year. */
export function ChoosePlan({ account, onChosen }: ChoosePlanProps) {
  const [isAnnual, setAnnual] = useState(account.data.subscription.paymentFrequency !== 'Monthly');
  const choose = useAction('account', 'choosePlan');
  const frequency = isAnnual ? 'Annual' : 'Monthly';

  return (
    <Form onSubmit={() => void choose.run({ plan: PLAN, paymentFrequency: frequency }, onChosen)}>
      <div className={styles['head']}>
        <Heading>Monthly Or Annual</Heading>
        <Switch
          label="Pay annually"
          description={`save ${annualSavings(PLAN)}% with annual billing`}
          labelPosition="left"
          checked={isAnnual}
          onChange={({ currentTarget }) => setAnnual(currentTarget.checked)}
        />
      </div>
      <PlanCard plan={PLAN} frequency={frequency} />
      <p className={styles['trial']}>All plans come with a {TRIAL_DAYS} day free trial</p>
      <Notice tone="bad">{failureOf(choose)}</Notice>
      <Submit isBusy={choose.isPending}>Choose plan</Submit>
    </Form>
  );
}
