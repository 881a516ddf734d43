import { useState } from 'react';
import * as v from 'valibot';
import { usePoolAction } from '../../session/pool.ts';
import { Resend } from '../../ui/CodeForm.tsx';
import { CodeField, EmailField, PasswordField } from '../../ui/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Heading } from '../../ui/Panel.tsx';
import { useForm } from '../../ui/useForm.ts';
import {
  codeProblem,
  code as codeSchema,
  emailProblem,
  email as emailSchema,
  firstMissing,
  newPassword,
  passwordProblem,
} from '../../ui/validation.ts';

interface ResetProps {
  readonly email: string;
  readonly onTyped: (typed: { email: string }) => void;
  /** The code that a mailed link brought. */
  readonly linkCode?: string | undefined;
  readonly onReset: () => void;
}

const SCHEMA = v.object({ email: emailSchema, code: codeSchema, password: newPassword });

/** The code from the mail and a new password. */
export function Reset({ email: givenEmail, onTyped, linkCode, onReset }: ResetProps) {
  const reset = usePoolAction('resetPassword');
  const resend = usePoolAction('requestPasswordReset');
  const [knewEmail] = useState(emailProblem(givenEmail) === undefined);
  const form = useForm({
    initialValues: { email: givenEmail, code: linkCode ?? '', password: '' },
    schema: SCHEMA,
    action: reset,
    onChange: ({ email }) => onTyped({ email }),
  });
  const { email, code, password } = form.values;
  const missing = firstMissing(
    [emailProblem(email) !== undefined, 'Enter your email.'],
    [code === '', 'Enter the code from the mail.'],
    [codeProblem(code) !== undefined, 'A code has digits only.'],
    [passwordProblem(password) !== undefined, 'Choose a new password of 8 or more characters.'],
  );
  return (
    <Form onSubmit={form.onSubmit((typed) => void reset.run(typed, onReset))}>
      <Heading>New password</Heading>
      {knewEmail ? (
        <Lead>{linkCode === undefined ? `If ${email} has an account, a code is on its way. Look in your spam folder too.` : email}</Lead>
      ) : (
        <EmailField {...form.getInputProps('email')} />
      )}
      <CodeField label="Reset code" {...form.getInputProps('code')} />
      {/* Tells password managers whose password this is. */}
      {knewEmail && <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />}
      <PasswordField label="New password" isNew {...form.getInputProps('password')} />
      <Notice tone="bad">{reset.failure}</Notice>
      <Submit missing={missing} isBusy={reset.isPending}>
        Reset Password
      </Submit>
      <Resend isFresh={linkCode === undefined} onResend={() => resend.run(email)} failure={resend.failure} />
    </Form>
  );
}
