import { useState } from 'react';
import type { Account } from '#contract/account.ts';
import { costInWords, TRIAL_DAYS, trialEnd } from '#contract/billing.ts';
import { useSource } from '../../data/source.ts';
import { Form } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { day } from '../../ui/time.ts';
import styles from './Plan.module.css';
import { useSignUpCall } from './useSignUpCall.ts';

/** The third step: what was chosen, and that nothing is due yet. */
export function ReviewPlan({ account, onChange }: { account: Account; onChange: () => void }) {
  const source = useSource();
  const call = useSignUpCall(account);
  const { plan = 'Pro', paymentFrequency = 'Monthly', trialEndsAt } = account.data.subscription;
  const [firstBill] = useState(() => trialEndsAt ?? trialEnd(Date.now()));
  return (
    <Form onSubmit={() => void call.run(() => source.call('account', 'startTrial', {}))}>
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
      <Notice tone="bad">{call.failure}</Notice>
      <Submit isBusy={call.isBusy}>Sign up</Submit>
    </Form>
  );
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
