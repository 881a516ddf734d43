import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as v from 'valibot';
import { useAction } from '../../data/useAction.ts';
import { LegalLink, LegalNotice, type LegalPage } from '../../frame/Legal.tsx';
import { VerifyEmail } from '../../frame/VerifyEmail.tsx';
import { paths } from '../../paths.ts';
import { usePoolAction } from '../../session/pool.ts';
import { ViewHeading } from '../../ui/CenteredPage.tsx';
import { EmailField, PasswordField, TextField } from '../../ui/Fields.tsx';
import { Form, Submit } from '../../ui/Form.tsx';
import { Checkbox } from '../../ui/mantine.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { useForm } from '../../ui/useForm.ts';
import { displayName as displayNameSchema, email as emailSchema, NAME_LIMIT, newPassword } from '../../ui/validation.ts';
import { type AccountDraft, EMPTY, missingOf } from './create.ts';
import { clearPending, type PendingSignUp, setPending } from './pending.ts';

const SCHEMA = v.object({
  companyName: displayNameSchema,
  displayName: displayNameSchema,
  email: emailSchema,
  password: newPassword,
  hasAccepted: v.literal(true),
});

/** The first step: who signs up. The account and its admin are made together, or nothing is. */
export function CreateAccount({ takesFocus }: { takesFocus: boolean }) {
  const [legal, setLegal] = useState<LegalPage>();
  const create = useAction('user', 'create');
  const form = useForm<AccountDraft>({ initialValues: EMPTY, schema: SCHEMA, action: create, sentAs: { email: 'emailAddress' } });

  function submit({ companyName, displayName, email, password }: AccountDraft): void {
    const data = { displayName: displayName.trim(), emailAddress: email.trim(), companyName: companyName.trim() };
    void create.run({ password, payload: { data } }, () => setPending({ email: data.emailAddress, password }));
  }

  return (
    <Form onSubmit={form.onSubmit(submit)}>
      <ViewHeading takesFocus={takesFocus}>Create An Account</ViewHeading>
      <TextField
        label="Company name"
        name="organization"
        autoComplete="organization"
        limit={NAME_LIMIT}
        {...form.getInputProps('companyName')}
      />
      <TextField label="Your name" name="name" autoComplete="name" limit={NAME_LIMIT} {...form.getInputProps('displayName')} />
      <EmailField label="Email address" {...form.getInputProps('email')} />
      <PasswordField isNew {...form.getInputProps('password')} />
      <div>
        <Checkbox label="I accept the Terms of Service" {...form.getInputProps('hasAccepted', { type: 'checkbox', withError: false })} />
        <LegalLink page="terms" onMissing={setLegal}>
          Read the Terms of Service
        </LegalLink>
      </div>
      <Submit missing={missingOf(form.values)} isPending={create.isPending} failure={create.failure}>
        Create account
      </Submit>
      <LegalNotice page={legal} onClose={() => setLegal(undefined)} />
    </Form>
  );
}

/** The first step goes on in the same panel: the address is verified, and the password that was just typed signs in. */
export function VerifyAccount({ pending: { email, password } }: { pending: PendingSignUp }) {
  const navigate = useNavigate();
  const signIn = usePoolAction('signIn');

  /** The email is verified, whatever signing in answers now; the sign-in screen goes on from here. */
  async function enter(): Promise<void> {
    let isIn = false;
    if (password !== undefined)
      await signIn.run({ email, password }, (step) => {
        isIn = step === 'done';
      });
    clearPending();
    if (!isIn) await navigate({ to: paths.feed });
  }

  return (
    <>
      <VerifyEmail email={email} isFresh={password !== undefined} onVerified={() => void enter()} isPending={signIn.isPending} />
      <TextLink onClick={clearPending}>Use another email address</TextLink>
    </>
  );
}
