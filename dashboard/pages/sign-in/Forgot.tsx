import { usePoolAction } from '../../session/pool.ts';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form, Lead } from '../../ui/Form.tsx';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { emailProblem, firstMissing } from '../../ui/validation.ts';

interface ForgotProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onAsked: () => void;
}

/** Asks for a reset code by mail. */
export function Forgot({ email, onEmail, onAsked }: ForgotProps) {
  const request = usePoolAction('requestPasswordReset');
  const missing = firstMissing(
    [email === '', 'Enter your email to get a code.'],
    [emailProblem(email) !== undefined, 'Enter your whole email address.'],
  );

  return (
    <Form onSubmit={() => missing === undefined && void request.run(email, onAsked)}>
      <Heading>Forgot password?</Heading>
      <Lead>Enter your email and we’ll send a reset code.</Lead>
      <EmailField value={email} onValue={onEmail} />
      <Notice tone="bad">{request.failure}</Notice>
      <Submit missing={missing} isBusy={request.isPending}>
        Continue
      </Submit>
    </Form>
  );
}
