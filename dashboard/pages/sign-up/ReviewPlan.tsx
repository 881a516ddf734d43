import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import { costInWords, TRIAL_DAYS, trialEnd } from '#contract/billing.ts';
import { useAction } from '../../data/useAction.ts';
import { Form, Submit } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Heading } from '../../ui/Panel.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { day } from '../../ui/time.ts';
import styles from './Plan.module.css';
import { failureOf } from './steps.ts';

/** The third step: what was chosen, and that nothing is due yet. */
export function ReviewPlan({ account, onChange }: { account: Account; onChange: () => void }) {
  const start = useAction('account', 'startTrial');
  const { plan = 'Pro', paymentFrequency = 'Monthly', trialEndsAt } = account.data.subscription;
  const [firstBill] = useState(() => trialEndsAt ?? trialEnd(Date.now()));
  return (
    <Form onSubmit={() => void start.run({})}>
      <Heading>Review Your Plan</Heading>
      <dl className={styles['facts']}>
        <Fact name="Plan">{plan}</Fact>
        <Fact name="Pay frequency">{paymentFrequency}</Fact>
        <Fact name="Plan cost">{costInWords(plan, paymentFrequency)}</Fact>
      </dl>
      <TextLink onClick={onChange}>Change plan</TextLink>
      <p className={styles['due']}>
        Due today $0
        <span>
          Your {TRIAL_DAYS} day free trial runs until {day(firstBill)}.
        </span>
      </p>
      <Notice tone="bad">{failureOf(start)}</Notice>
      <Submit isBusy={start.isPending}>Sign up</Submit>
    </Form>
  );
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
