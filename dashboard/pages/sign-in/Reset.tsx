import { useState } from 'react';
import { usePoolAction } from '../../session/pool.ts';
import { CodeField } from '../../ui/CodeField.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form, Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Resend } from '../../ui/Resend.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { codeProblem, emailProblem, firstMissing, passwordProblem } from '../../ui/validation.ts';

interface ResetProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** The code that a mailed link brought. */
  readonly linkCode?: string | undefined;
  readonly onReset: () => void;
}

/** The code from the mail and a new password. */
export function Reset({ email, onEmail, linkCode, onReset }: ResetProps) {
  const [code, setCode] = useState(linkCode ?? '');
  const [password, setPassword] = useState('');
  const [knewEmail] = useState(emailProblem(email) === undefined);
  const reset = usePoolAction('resetPassword');
  const resend = usePoolAction('requestPasswordReset');
  const missing = firstMissing(
    [emailProblem(email) !== undefined, 'Enter your email.'],
    [code === '', 'Enter the code from the mail.'],
    [codeProblem(code) !== undefined, 'A code has digits only.'],
    [passwordProblem(password) !== undefined, 'Choose a new password of 8 or more characters.'],
  );

  return (
    <Form onSubmit={() => missing === undefined && void reset.run({ email, code, password }, onReset)}>
      <Heading>New password</Heading>
      {knewEmail ? (
        <Lead>{linkCode === undefined ? `If ${email} has an account, a code is on its way. Look in your spam folder too.` : email}</Lead>
      ) : (
        <EmailField value={email} onValue={onEmail} />
      )}
      <CodeField label="Reset code" value={code} onValue={setCode} />
      {/* Tells password managers whose password this is. */}
      {knewEmail && <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />}
      <PasswordField label="New password" isNew value={password} onValue={setPassword} />
      <Notice tone="bad">{reset.failure}</Notice>
      <Submit missing={missing} isBusy={reset.isPending}>
        Reset Password
      </Submit>
      <Resend isFresh={linkCode === undefined} onResend={() => resend.run(email)} failure={resend.failure} />
    </Form>
  );
}
