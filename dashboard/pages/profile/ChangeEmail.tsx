import { useState } from 'react';
import * as v from 'valibot';
import { useTeam } from '../../frame/team.ts';
import { usePoolAction } from '../../session/pool.ts';
import { CodeForm, Resend } from '../../ui/CodeForm.tsx';
import { EmailField } from '../../ui/Fields.tsx';
import { Form, Submit } from '../../ui/Form.tsx';
import { Button } from '../../ui/mantine.ts';
import { Card } from '../../ui/Page.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { useForm } from '../../ui/useForm.ts';
import { emailProblem, email as emailSchema, firstMissing } from '../../ui/validation.ts';

const SCHEMA = v.object({ email: emailSchema });

type Progress = { readonly at: 'shown' | 'asking' } | { readonly at: 'code'; readonly email: string };

/** The email that the person signs in with. A new one counts once the code that was mailed to it is typed. */
export function ChangeEmail() {
  const { user, isDemo } = useTeam();
  const [progress, setProgress] = useState<Progress>({ at: 'shown' });

  function changed(): void {
    setProgress({ at: 'shown' });
    toast('Your email is changed. You sign in with it from now on.');
  }

  return (
    <Card
      title="Email"
      lead={user.data.emailAddress}
      action={
        progress.at === 'shown' && (
          <Button variant="default" disabled={isDemo} onClick={() => setProgress({ at: 'asking' })}>
            Change email
          </Button>
        )
      }
    >
      {progress.at === 'asking' && (
        <NewAddress onCode={(email) => setProgress({ at: 'code', email })} onDone={changed} onLeave={() => setProgress({ at: 'shown' })} />
      )}
      {progress.at === 'code' && <Code email={progress.email} onDone={changed} onLeave={() => setProgress({ at: 'shown' })} />}
    </Card>
  );
}

interface NewAddressProps {
  readonly onCode: (email: string) => void;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

function NewAddress({ onCode, onDone, onLeave }: NewAddressProps) {
  const change = usePoolAction('changeEmail');
  const form = useForm({ initialValues: { email: '' }, schema: SCHEMA, action: change });
  const missing = firstMissing([emailProblem(form.values.email) !== undefined, 'Enter the new address.']);
  const submit = (email: string) => change.run(email, (needsCode) => (needsCode ? onCode(email) : onDone()));
  return (
    <Form onSubmit={form.onSubmit(({ email }) => void submit(email.trim()))}>
      <EmailField label="New email" autoComplete="email" {...form.getInputProps('email')} />
      <Submit missing={missing} isPending={change.isPending} failure={change.failure}>
        Send code
      </Submit>
      <TextLink onClick={onLeave}>Keep the address</TextLink>
    </Form>
  );
}

function Code({ email, onDone, onLeave }: Omit<NewAddressProps, 'onCode'> & { email: string }) {
  const confirm = usePoolAction('confirmNewEmail');
  const resend = usePoolAction('changeEmail');
  return (
    <CodeForm
      label="Verify the new email"
      from="mail"
      verb="Verify Email"
      action={confirm}
      onCode={(code) => void confirm.run(code, onDone)}
      below={
        <>
          <Resend onResend={() => resend.run(email)} failure={resend.failure} />
          <TextLink onClick={onLeave}>Keep the old address</TextLink>
        </>
      }
    >
      <p>We emailed a code to {email}. Check your spam folder too. Until it is entered here, the old address stays.</p>
    </CodeForm>
  );
}
