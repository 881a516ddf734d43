import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import * as v from 'valibot';
import { subOf } from '#contract/core/ids.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { TermsCheckbox } from '../../frame/chrome/Legal.tsx';
import { useIsBilled } from '../../frame/plan/plan.ts';
import { VerifyEmail } from '../../frame/security/VerifyEmail.tsx';
import { languageShown, t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useConfirmationPoll } from '../../session/confirmation-poll.ts';
import { usePoolAction } from '../../session/pool.ts';
import { EmailField, PasswordField, TextField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { displayName as displayNameSchema, email as emailSchema, NAME_LIMIT, newPassword } from '../../ui/forms/validation.ts';
import { ViewHeading } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { type AccountDraft, EMPTY, missingOf } from './account-draft.ts';
import { Price } from './Price.tsx';
import { changeEmail, clearPending, type PendingSignUp, setPending, usePending } from './pending.ts';

const SCHEMA = v.object({
  companyName: displayNameSchema,
  displayName: displayNameSchema,
  email: emailSchema,
  password: newPassword,
  hasAccepted: v.literal(true),
});

/** The first step: creates the account and its admin together, or neither. */
export function CreateAccount({ takesFocus }: { takesFocus: boolean }) {
  const create = useAction('user', 'create');
  const draft = usePending((state) => state.draft);
  const isBilled = useIsBilled();
  const form = useForm<AccountDraft>({ initialValues: draft ?? EMPTY, schema: SCHEMA, action: create, sentAs: { email: 'emailAddress' } });

  function submit(typed: AccountDraft): void {
    const { companyName, displayName, email, password } = typed;
    const data = {
      displayName: displayName.trim(),
      emailAddress: email.trim(),
      companyName: companyName.trim(),
      language: languageShown(),
    };
    void create.run({ password, payload: { data } }, (answer) => setPending(answer.data.user.id, { ...typed, email: data.emailAddress }));
  }

  return (
    <Form onSubmit={form.onSubmit(submit)}>
      <ViewHeading takesFocus={takesFocus}>{t('Create An Account')}</ViewHeading>
      {isBilled && <Price />}
      <TextField
        label={t('Company name')}
        name="organization"
        autoComplete="organization"
        limit={NAME_LIMIT}
        {...form.getInputProps('companyName')}
      />
      <TextField label={t('Your name')} name="name" autoComplete="name" limit={NAME_LIMIT} {...form.getInputProps('displayName')} />
      <EmailField label={t('Email address')} {...form.getInputProps('email')} />
      <PasswordField isNew {...form.getInputProps('password')} />
      <TermsCheckbox {...form.getInputProps('hasAccepted', { type: 'checkbox', withError: false })} />
      <Submit missing={missingOf(form.values)} isPending={create.isPending} failure={create.failure}>
        {t('Create account')}
      </Submit>
    </Form>
  );
}

/** The second half of the first step: confirms the email by code, or by the emailed link opened elsewhere, and signs in with the typed password. */
export function VerifyAccount({ pending: { userId, email }, password }: { pending: PendingSignUp; password: string | undefined }) {
  const source = useSource();
  const navigate = useNavigate();
  const confirm = usePoolAction('confirmEmail');
  const signIn = usePoolAction('signIn');
  const username = subOf(userId);
  const isEntering = useRef(false);
  // Polls again if the server is unreachable.
  useConfirmationPoll(async () => {
    const answer = await source.call('user', 'confirmed', { userId }).catch(() => undefined);
    const isConfirmed = answer?.status === 'ok' && answer.confirmed;
    if (isConfirmed) await enter();
    return !isConfirmed;
  });

  /** Continues after the confirmation. Without a password, or if signing in fails, opens the sign-in screen. */
  async function enter(): Promise<void> {
    // The code and the polling may both get here.
    if (isEntering.current) return;
    isEntering.current = true;
    let isIn = false;
    if (password !== undefined)
      await signIn.run({ email, password }, (step) => {
        isIn = step === 'done';
      });
    // Once signed in, the next step replaces this one.
    if (isIn) return;
    clearPending();
    await navigate({ to: paths.feed, state: { signIn: { at: 'login', email, news: 'confirmed' } } });
  }

  return (
    <>
      <VerifyEmail
        email={email}
        username={username}
        isFresh={password !== undefined}
        action={{
          ...confirm,
          isPending: confirm.isPending || signIn.isPending,
          run: (code) => void confirm.run({ username, code }, () => void enter()),
        }}
      />
      <TextLink onClick={changeEmail}>{t('Use another email address')}</TextLink>
    </>
  );
}
