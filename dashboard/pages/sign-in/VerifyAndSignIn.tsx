import { useState } from 'react';
import { VerifyEmail } from '../../frame/security/VerifyEmail.tsx';
import { useConfirmationPoll } from '../../session/confirmation-poll.ts';
import { usePoolAction } from '../../session/pool.ts';
import type { NextStep } from '../../session/pool-actions.ts';
import { PasswordField } from '../../ui/forms/Fields.tsx';

interface VerifyAndSignInProps {
  readonly email: string;
  /** Empty after a reload. */
  readonly password: string;
  readonly onNext: (step: Exclude<NextStep, 'done'>) => void;
}

/** Shown on signing in with an unconfirmed email. The code, or the emailed link opened elsewhere, completes the sign-in. */
export function VerifyAndSignIn({ email, password: initialPassword, onNext }: VerifyAndSignInProps) {
  const enter = usePoolAction('confirmAndSignIn');
  const poll = usePoolAction('signIn');
  const [typed, setTyped] = useState('');
  const password = initialPassword || typed;
  const onStep = (step: NextStep): void => {
    if (step !== 'done' && step !== 'verify') onNext(step);
  };
  // The pool has accepted this password, so polling with it can't count as a wrong attempt. Polling stops if it no longer does.
  useConfirmationPoll(async () => {
    if (initialPassword === '') return false;
    let isWaiting = false;
    await poll.run({ email, password: initialPassword }, (step) => {
      isWaiting = step === 'verify';
      onStep(step);
    });
    return isWaiting;
  });

  return (
    <VerifyEmail
      email={email}
      username={email}
      isFresh={false}
      action={{ ...enter, run: (code) => void enter.run({ email, password, code }, onStep) }}
    >
      {initialPassword === '' && <PasswordField value={typed} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />}
    </VerifyEmail>
  );
}
