import { usePoolAction } from '../session/pool.ts';
import { ViewHeading } from '../ui/CenteredPage.tsx';
import { CodeForm, Resend } from '../ui/CodeForm.tsx';
import { Lead } from '../ui/Form.tsx';

interface VerifyEmailProps {
  readonly email: string;
  /** A code was mailed just now. */
  readonly isFresh: boolean;
  readonly onVerified: () => void;
  /** An action that follows is under way. */
  readonly isPending?: boolean;
}

/** Asks for the code that proves who reads an email address. */
export function VerifyEmail({ email, isFresh, onVerified, isPending = false }: VerifyEmailProps) {
  const confirm = usePoolAction('confirmEmail');
  const resend = usePoolAction('resendConfirmation');
  return (
    <CodeForm
      from="mail"
      verb="Verify Email"
      action={confirm}
      isPending={isPending}
      onCode={(code) => void confirm.run({ email, code }, onVerified)}
      below={<Resend isFresh={isFresh} onResend={() => resend.run(email)} failure={resend.failure} />}
    >
      <ViewHeading>Verify your email</ViewHeading>
      <Lead>We emailed a code to {email}. Check your spam folder too.</Lead>
    </CodeForm>
  );
}
