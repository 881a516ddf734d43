import { useWork } from '../../data/useWork.ts';
import { identity } from '../../session/session.ts';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form, Lead } from '../../ui/Form.tsx';
import { emailProblem, firstMissing } from '../../ui/fields.ts';
import { Heading } from '../../ui/Heading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Submit } from '../../ui/Submit.tsx';

interface ForgotProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onAsked: () => void;
}

/** Asks for a reset code by mail. */
export function Forgot({ email, onEmail, onAsked }: ForgotProps) {
  const work = useWork();
  const missing = firstMissing(
    [email === '', 'Enter your email to get a code.'],
    [emailProblem(email) !== undefined, 'Enter your whole email address.'],
  );

  async function submit(): Promise<void> {
    if (missing === undefined && (await work.run(async () => (await identity()).askForReset(email)))) onAsked();
  }

  return (
    <Form onSubmit={() => void submit()}>
      <Heading>Forgot password?</Heading>
      <Lead>Enter your email and we’ll send a reset code.</Lead>
      <EmailField value={email} onValue={onEmail} />
      <Notice tone="bad">{work.failure}</Notice>
      <Submit missing={missing} isBusy={work.isBusy}>
        Continue
      </Submit>
    </Form>
  );
}
