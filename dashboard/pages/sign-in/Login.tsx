import { useState } from 'react';
import { useWork } from '../../data/useWork.ts';
import type { NextStep } from '../../session/auth.ts';
import { signIn } from '../../session/session.ts';
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
  const work = useWork();
  const missing = missingOf({ email, password, isWrong });

  const submit = () =>
    missing === undefined &&
    work.run(async () => {
      const step = await signIn(email, password);
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
          work.forgive();
        }}
      />
      <PasswordField
        value={password}
        onValue={(typed) => {
          onTyped({ password: typed });
          work.forgive();
        }}
      />
      <TextLink onClick={onForgot}>Forgot password</TextLink>
      <Notice tone="bad">{work.failure}</Notice>
      <Submit missing={missing} isBusy={work.isBusy}>
        Sign in
      </Submit>
    </Form>
  );
}
