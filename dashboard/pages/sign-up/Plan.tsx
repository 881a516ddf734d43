import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import {
  annualSavings,
  costInWords,
  type PaymentFrequency,
  type Plan,
  PRO_FEATURES,
  planPrice,
  TRIAL_DAYS,
  trialEnd,
} from '#contract/billing.ts';
import { configQuery } from '../../data/queries.ts';
import { useAction } from '../../data/useAction.ts';
import { ViewHeading } from '../../ui/CenteredPage.tsx';
import { Form, Submit } from '../../ui/Form.tsx';
import { Switch } from '../../ui/mantine.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { day } from '../../ui/time.ts';
import styles from './Plan.module.css';
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
        <ViewHeading>Monthly Or Annual</ViewHeading>
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
      <Submit isPending={choose.isPending} failure={failureOf(choose)}>
        Choose plan
      </Submit>
    </Form>
  );
}

/** What a plan costs and has. */
function PlanCard({ plan, frequency }: { plan: Plan; frequency: PaymentFrequency }) {
  return (
    <section className={styles['card']} aria-label={`${plan} plan`}>
      <div className={styles['price']} aria-live="polite">
        <h2>{plan}</h2>
        <p>
          <strong>${planPrice(plan, frequency)}</strong>/month
        </p>
        <p className={styles['yearly']}>
          {frequency === 'Annual' ? `${costInWords(plan, 'Annual')} (${annualSavings(plan)}% savings)` : 'Billed every month'}
        </p>
      </div>
      <ul className={styles['features']}>
        {PRO_FEATURES.map((feature) => (
          <li key={feature}>
            <IconCheck size={18} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReviewPlanProps {
  readonly account: Account;
  readonly onChange: () => void;
  readonly onStarted: () => void;
}

/** The third step: what was chosen, and that nothing is due yet. */
export function ReviewPlan({ account, onChange, onStarted }: ReviewPlanProps) {
  const start = useAction('account', 'startTrial');
  const { plan = 'Pro', paymentFrequency = 'Monthly', trialEndsAt } = account.data.subscription;
  const [firstBill] = useState(() => trialEndsAt ?? trialEnd(Date.now()));
  // Where nobody pays, nothing ends.
  const kind = useQuery(configQuery).data?.billing.kind;
  const isPaid = kind !== undefined && kind !== 'none';
  return (
    <Form onSubmit={() => void start.run({}, onStarted)}>
      <ViewHeading>Review Your Plan</ViewHeading>
      <dl className={styles['facts']}>
        <Fact name="Plan">{plan}</Fact>
        <Fact name="Pay frequency">{paymentFrequency}</Fact>
        <Fact name="Plan cost">{costInWords(plan, paymentFrequency)}</Fact>
      </dl>
      <TextLink onClick={onChange}>Change plan</TextLink>
      <p className={styles['due']}>
        Due today $0
        {isPaid && (
          <span>
            Your {TRIAL_DAYS} day free trial runs until {day(firstBill)}.
          </span>
        )}
      </p>
      <Submit isPending={start.isPending} failure={failureOf(start)}>
        Sign up
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
