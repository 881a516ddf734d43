import { useState } from 'react';
import { VerifyEmail } from '../../frame/security/VerifyEmail.tsx';
import type { NextStep } from '../../session/auth.ts';
import { usePoolAction } from '../../session/pool.ts';
import { useWaiting } from '../../session/waiting.ts';
import { PasswordField } from '../../ui/forms/Fields.tsx';

interface VerifyAndSignInProps {
  readonly email: string;
  /** Empty where the page was reloaded meanwhile. */
  readonly password: string;
  readonly onNext: (step: Exclude<NextStep, 'done'>) => void;
}

/** Somebody who signs in before the address is confirmed: the code, or the mail's link elsewhere, lets them in. */
export function VerifyAndSignIn({ email, password: known, onNext }: VerifyAndSignInProps) {
  const enter = usePoolAction('confirmAndSignIn');
  const look = usePoolAction('signIn');
  const [typed, setTyped] = useState('');
  const password = known || typed;
  const onStep = (step: NextStep): void => {
    if (step !== 'done' && step !== 'verify') onNext(step);
  };
  // The pool has said that this password is right, so that trying it counts as no wrong one; once it is not, it is tried no more.
  useWaiting(async () => {
    if (known === '') return false;
    let isWaiting = false;
    await look.run({ email, password: known }, (step) => {
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
      action={enter}
      isPending={enter.isPending}
      onCode={(code) => void enter.run({ email, password, code }, onStep)}
    >
      {known === '' && <PasswordField value={typed} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />}
    </VerifyEmail>
  );
}
