import { useState } from 'react';
import * as v from 'valibot';
import { MailHint } from '../../frame/security/MailHint.tsx';
import { t } from '../../language.ts';
import { usePoolAction } from '../../session/pool.ts';
import { nextCode, Resend } from '../../ui/forms/CodeForm.tsx';
import { CodeField, EmailField, PasswordField } from '../../ui/forms/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import {
  codeProblem,
  code as codeSchema,
  emailProblem,
  email as emailSchema,
  firstMissing,
  newPassword,
  requirement,
} from '../../ui/forms/validation.ts';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';

interface ForgotPasswordProps {
  readonly email: string;
  readonly onTyped: (typed: { email: string }) => void;
  readonly onRequested: () => void;
}

const FORGOT = v.object({ email: emailSchema });

/** Requests a reset code by email. */
export function ForgotPassword({ email, onTyped, onRequested }: ForgotPasswordProps) {
  const request = usePoolAction('requestPasswordReset');
  const form = useForm({ initialValues: { email }, schema: FORGOT, action: request, onChange: onTyped });
  const missing = firstMissing(
    [form.values.email === '', t('Enter your email to get a code.')],
    [emailProblem(form.values.email) !== undefined, t('Enter your full email address.')],
  );
  return (
    <Form onSubmit={form.onSubmit((typed) => void request.run(typed.email, onRequested))}>
      <ViewHeading>{t('Forgot password?')}</ViewHeading>
      <Lead>{t('Enter your email and we’ll send a reset code.')}</Lead>
      <EmailField {...form.getInputProps('email')} />
      <Submit
        missing={missing}
        isPending={request.isPending}
        failure={request.failure}
        wayOut={request.isRefused('too-many') && nextCode()}
      >
        {t('Continue')}
      </Submit>
    </Form>
  );
}

interface ResetPasswordProps {
  readonly email: string;
  readonly onTyped: (typed: { email: string }) => void;
  /** The code from an emailed link. */
  readonly linkCode: string | undefined;
  readonly onReset: () => void;
}

const RESET = v.object({ email: emailSchema, code: codeSchema, password: newPassword });
const RESET_BY_LINK = v.object({ ...RESET.entries, code: v.string() });

/** Sets a new password with an emailed code or link. */
export function ResetPassword({ email: initialEmail, onTyped, linkCode, onReset }: ResetPasswordProps) {
  const reset = usePoolAction('resetPassword');
  const resend = usePoolAction('requestPasswordReset');
  const [hasEmail] = useState(emailProblem(initialEmail) === undefined);
  // Requesting another code invalidates the link.
  const [isByLink, setByLink] = useState(linkCode !== undefined);
  const form = useForm({
    initialValues: { email: initialEmail, code: linkCode ?? '', password: '' },
    schema: isByLink ? RESET_BY_LINK : RESET,
    action: reset,
    onChange: ({ email }) => onTyped({ email }),
  });
  const { email, code, password } = form.values;
  const missing = firstMissing(
    requirement(emailSchema, email, t('Enter your email.')),
    [code === '', t('Enter the code from the email.')],
    [!isByLink && codeProblem(code) !== undefined, t('Codes contain only digits.')],
    requirement(newPassword, password, t('Choose a new password of 8 or more characters.')),
  );

  async function requestAnother(): Promise<boolean> {
    if (!(await resend.run(email))) return false;
    if (isByLink) form.setFieldValue('code', '');
    setByLink(false);
    return true;
  }

  return (
    <Form onSubmit={form.onSubmit((typed) => void reset.run(typed, onReset))}>
      <ViewHeading>{t('New password')}</ViewHeading>
      {hasEmail ? (
        <Lead>{!isByLink ? t('If {email} has an account, a code is on its way. Check your spam folder too.', { email }) : email}</Lead>
      ) : (
        <EmailField {...form.getInputProps('email')} />
      )}
      {!isByLink && <CodeField label={t('Reset code')} {...form.getInputProps('code')} />}
      {/* Lets password managers save the password with the email. */}
      {hasEmail && <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />}
      <PasswordField label={t('New password')} isNew {...form.getInputProps('password')} />
      <Submit missing={missing} isPending={reset.isPending} failure={reset.failure}>
        {t('Reset Password')}
      </Submit>
      <Resend
        isFresh={linkCode === undefined}
        onResend={requestAnother}
        failure={resend.failure}
        wayOut={resend.isRefused('too-many') && nextCode()}
      />
      <MailHint />
    </Form>
  );
}
