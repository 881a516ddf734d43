import { useState } from 'react';
import { usePoolAction } from '../session/pool.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { Form, Lead } from '../ui/Form.tsx';
import { Heading } from '../ui/Heading.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Resend } from '../ui/Resend.tsx';
import { Submit } from '../ui/Submit.tsx';
import { codeProblem, firstMissing } from '../ui/validation.ts';

interface VerifyProps {
  readonly email: string;
  /** A code was mailed just now. */
  readonly isFresh: boolean;
  readonly onVerified: () => void;
  /** What follows is under way. */
  readonly isBusy?: boolean;
}

/** Proves that the address is one's own. */
export function Verify({ email, isFresh, onVerified, isBusy = false }: VerifyProps) {
  const [code, setCode] = useState('');
  const confirm = usePoolAction('confirmEmail');
  const resend = usePoolAction('resendConfirmation');
  const missing = firstMissing(
    [code === '', 'Enter the code from the mail.'],
    [codeProblem(code) !== undefined, 'A code has digits only.'],
  );

  return (
    <Form onSubmit={() => missing === undefined && void confirm.run({ email, code }, onVerified)}>
      <Heading>Verify your email</Heading>
      <Lead>We emailed a code to {email}. Check your spam folder too.</Lead>
      <CodeField label="Verification code" value={code} onValue={setCode} />
      <Notice tone="bad">{confirm.failure}</Notice>
      <Submit missing={missing} isBusy={confirm.isPending || isBusy}>
        Verify Email
      </Submit>
      <Resend isFresh={isFresh} onResend={() => resend.run(email)} failure={resend.failure} />
    </Form>
  );
}
