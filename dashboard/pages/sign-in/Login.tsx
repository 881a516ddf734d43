import { useState } from 'react';
import type { NextStep } from '../../session/auth.ts';
import { usePoolAction } from '../../session/pool.ts';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { missingOf } from './login.ts';

interface LoginProps {
  readonly email: string;
  readonly password: string;
  readonly onTyped: (typed: { email?: string; password?: string }) => void;
  /** Good news that brought somebody back here. */
  readonly note: string | undefined;
  readonly onForgot: () => void;
  /** The password was right, and something else is needed. */
  readonly onNext: (step: Exclude<NextStep, 'done'>) => void;
}

/** Email and password. What is missing is said below the button, what went wrong above it. */
export function Login({ email, password, onTyped, note, onForgot, onNext }: LoginProps) {
  const [isWrong, setWrong] = useState(false);
  const signIn = usePoolAction('signIn');
  const missing = missingOf({ email, password, isWrong });

  const submit = () =>
    missing === undefined &&
    signIn.run({ email, password }, (step) => {
      if (step !== 'done') onNext(step);
    });

  return (
    <Form onSubmit={() => void submit()}>
      <Heading takesFocus={note !== undefined}>Sign in</Heading>
      <Notice tone="good">{note}</Notice>
      <EmailField
        onBlur={() => setWrong(email !== '')}
        value={email}
        onValue={(typed) => {
          onTyped({ email: typed });
          signIn.reset();
        }}
      />
      <PasswordField
        value={password}
        onValue={(typed) => {
          onTyped({ password: typed });
          signIn.reset();
        }}
      />
      <TextLink onClick={onForgot}>Forgot password</TextLink>
      <Notice tone="bad">{signIn.failure}</Notice>
      <Submit missing={missing} isBusy={signIn.isPending}>
        Sign in
      </Submit>
    </Form>
  );
}
