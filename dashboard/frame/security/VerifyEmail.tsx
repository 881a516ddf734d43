import type { ReactNode } from 'react';
import { t } from '../../language.ts';
import { usePoolAction } from '../../session/pool.ts';
import { type CodeAction, CodeForm, nextCode, Resend } from '../../ui/forms/CodeForm.tsx';
import { Lead } from '../../ui/forms/Form.tsx';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { MailHint } from './MailHint.tsx';

interface VerifyEmailProps {
  readonly email: string;
  /** The code's owner: the id of a sign-up, or the email. */
  readonly username: string;
  /** A code was just sent. */
  readonly isFresh: boolean;
  readonly action: CodeAction;
  /** Other fields to fill in. */
  readonly children?: ReactNode;
}

/** Asks for the code sent to an email address. */
export function VerifyEmail({ email, username, isFresh, action, children }: VerifyEmailProps) {
  const resend = usePoolAction('resendConfirmation');
  return (
    <CodeForm
      from="mail"
      verb={t('Verify Email')}
      action={action}
      below={
        <>
          <Resend
            isFresh={isFresh}
            onResend={() => resend.run(username)}
            failure={resend.failure}
            wayOut={resend.isRefused('too-many') && nextCode()}
          />
          <MailHint />
        </>
      }
    >
      <ViewHeading>{t('Verify your email')}</ViewHeading>
      <Lead>
        {t('We emailed a code to {email}. Check your spam folder too. This page continues automatically once your email is confirmed.', {
          email,
        })}
      </Lead>
      {children}
    </CodeForm>
  );
}
