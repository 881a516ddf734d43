import { useState } from 'react';
import { useWork } from '../data/useWork.ts';
import { identity } from '../session/session.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { Form, Lead } from '../ui/Form.tsx';
import { codeProblem, firstMissing } from '../ui/fields.ts';
import { Heading } from '../ui/Heading.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Resend } from '../ui/Resend.tsx';
import { Submit } from '../ui/Submit.tsx';

interface VerifyProps {
  readonly email: string;
  /** A code was mailed just now. */
  readonly isFresh: boolean;
  /** What follows; still part of the button's work. */
  readonly onVerified: () => Promise<unknown> | undefined;
}

/** Proves that the address is one's own. */
export function Verify({ email, isFresh, onVerified }: VerifyProps) {
  const [code, setCode] = useState('');
  const work = useWork();
  const missing = firstMissing(
    [code === '', 'Enter the code from the mail.'],
    [codeProblem(code) !== undefined, 'A code has digits only.'],
  );

  const submit = () =>
    missing === undefined &&
    work.run(async () => {
      await (await identity()).confirmEmail(email, code);
      await onVerified();
    });

  return (
    <Form onSubmit={() => void submit()}>
      <Heading>Verify your email</Heading>
      <Lead>We emailed a code to {email}. Check your spam folder too.</Lead>
      <CodeField label="Verification code" value={code} onValue={setCode} />
      <Notice tone="bad">{work.failure}</Notice>
      <Submit missing={missing} isBusy={work.isBusy}>
        Verify Email
      </Submit>
      <Resend isFresh={isFresh} onResend={async () => (await identity()).resendConfirmation(email)} />
    </Form>
  );
}
