import { useState } from 'react';
import { useTeam } from '../../frame/data.tsx';
import { usePoolAction } from '../../session/pool.ts';
import { Card } from '../../ui/Card.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { EmailField } from '../../ui/EmailField.tsx';
import { Form } from '../../ui/Form.tsx';
import { Button } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Resend } from '../../ui/Resend.tsx';
import { Submit } from '../../ui/Submit.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { codeProblem, emailProblem, firstMissing } from '../../ui/validation.ts';

type Stage = { readonly at: 'shown' | 'asking' } | { readonly at: 'code'; readonly email: string };

/** The address that one signs in with. A new one counts once the code that was mailed to it is typed. */
export function EmailAddress() {
  const { user, isDemo } = useTeam();
  const [stage, setStage] = useState<Stage>({ at: 'shown' });

  function changed(): void {
    setStage({ at: 'shown' });
    toast('Your email is changed. You sign in with it from now on.');
  }

  return (
    <Card
      title="Email"
      lead={user.data.emailAddress}
      action={
        stage.at === 'shown' && (
          <Button variant="default" disabled={isDemo} onClick={() => setStage({ at: 'asking' })}>
            Change email
          </Button>
        )
      }
    >
      {stage.at === 'asking' && (
        <NewAddress onCode={(email) => setStage({ at: 'code', email })} onDone={changed} onLeave={() => setStage({ at: 'shown' })} />
      )}
      {stage.at === 'code' && <Code email={stage.email} onDone={changed} onLeave={() => setStage({ at: 'shown' })} />}
    </Card>
  );
}

interface NewAddressProps {
  readonly onCode: (email: string) => void;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

function NewAddress({ onCode, onDone, onLeave }: NewAddressProps) {
  const [email, setEmail] = useState('');
  const change = usePoolAction('changeEmail');
  const missing = firstMissing([emailProblem(email) !== undefined, 'Enter the new address.']);
  const submit = () => missing === undefined && change.run(email.trim(), (needsCode) => (needsCode ? onCode(email.trim()) : onDone()));
  return (
    <Form onSubmit={() => void submit()}>
      <EmailField label="New email" autoComplete="email" value={email} onValue={setEmail} />
      <Notice tone="bad">{change.failure}</Notice>
      <Submit missing={missing} isBusy={change.isPending}>
        Send code
      </Submit>
      <TextLink onClick={onLeave}>Keep the address</TextLink>
    </Form>
  );
}

function Code({ email, onDone, onLeave }: Omit<NewAddressProps, 'onCode'> & { email: string }) {
  const [code, setCode] = useState('');
  const confirm = usePoolAction('confirmNewEmail');
  const resend = usePoolAction('changeEmail');
  const missing = firstMissing(
    [code === '', 'Enter the code from the mail.'],
    [codeProblem(code) !== undefined, 'A code has digits only.'],
  );
  return (
    <Form label="Verify the new email" onSubmit={() => missing === undefined && void confirm.run(code, onDone)}>
      <p>We emailed a code to {email}. Check your spam folder too. Until it is entered here, the old address stays.</p>
      <CodeField label="Verification code" value={code} onValue={setCode} />
      <Notice tone="bad">{confirm.failure}</Notice>
      <Submit missing={missing} isBusy={confirm.isPending}>
        Verify Email
      </Submit>
      <Resend onResend={() => resend.run(email)} failure={resend.failure} />
      <TextLink onClick={onLeave}>Keep the old address</TextLink>
    </Form>
  );
}
