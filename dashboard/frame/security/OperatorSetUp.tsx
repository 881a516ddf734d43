import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language.ts';
import { totpQuery, usePoolAction } from '../../session/pool.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { firstMissing, signInCodeProblem } from '../../ui/forms/validation.ts';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { Card, Page } from '../../ui/page/Page.tsx';
import { useTeam } from '../team.ts';
import { NOTHING, PasswordAgain } from './FreshSignIn.tsx';
import styles from './SecondFactorSetUp.module.css';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

/** Lets a future operator set up two-step sign-in and sign in with it, and then opens the page. */
export function OperatorSetUp() {
  const { paths } = useTeam();
  const { data: isOn } = useQuery(totpQuery);
  const [step, setStep] = useState<'set-up' | 'enter'>();
  const navigate = useNavigate();
  const steps = useFocusOnStep<HTMLDivElement>(step);
  // Set once: two-step sign-in turns on before the backup codes are shown.
  if (step === undefined && isOn !== undefined) setStep(isOn ? 'enter' : 'set-up');
  return (
    <Page title={t('Operator area')} lead={t('It holds the data of every business, so it requires two-step sign-in.')}>
      <div ref={steps} className={styles['steps']}>
        {step === 'set-up' && (
          <Card title={t('Set up two-step sign-in')}>
            <SecondFactorSetUp onDone={() => setStep('enter')} onLeave={() => void navigate({ to: paths.profile })} />
          </Card>
        )}
        {step === 'enter' && <Enter />}
      </div>
    </Page>
  );
}

/** Signs in with both steps, because the session that set up the app doesn't prove that the person has it. */
function Enter() {
  const enter = usePoolAction('signInAgain');
  const [typed, setTyped] = useState(NOTHING);
  const missing = firstMissing(
    [typed.password === '', t('Enter your password.')],
    [signInCodeProblem(typed.code) !== undefined, t('Enter the current code from your app.')],
  );

  function type(change: Partial<typeof NOTHING>): void {
    setTyped({ ...typed, ...change });
    enter.reset();
  }

  const isAtField = ['password', 'code'].some((field) => enter.problemOf(field) !== undefined);
  return (
    <Card title={t('Sign in with your app')}>
      <Form
        label={t('Sign in with your app')}
        onSubmit={() => {
          if (missing === undefined) void enter.run(typed);
        }}
      >
        <PasswordAgain typed={typed} onTyped={type} needsCode problemOf={enter.problemOf}>
          {t('Two-step sign-in is on. Enter your password and the next code that your app shows.')}
        </PasswordAgain>
        <Submit missing={missing} isPending={enter.isPending} failure={isAtField ? undefined : enter.failure}>
          {t('Open the operator area')}
        </Submit>
      </Form>
    </Card>
  );
}
