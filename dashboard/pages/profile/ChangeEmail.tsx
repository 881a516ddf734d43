import { useState } from 'react';
import * as v from 'valibot';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { MailHint } from '../../frame/security/MailHint.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { usePoolAction } from '../../session/pool.ts';
import { CodeForm, nextCode, Resend } from '../../ui/forms/CodeForm.tsx';
import { EmailField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { email as emailSchema, firstMissing, requirement } from '../../ui/forms/validation.ts';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Card } from '../../ui/page/Page.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { pendingEmail } from './pending-email.ts';

const SCHEMA = v.object({ email: emailSchema });

type Progress = { readonly at: 'shown' | 'asking' } | { readonly at: 'code'; readonly email: string; readonly isFresh: boolean };

/** Changes the email used to sign in. A new one takes effect once its emailed code is entered. */
export function ChangeEmail() {
  const { user, isDemo } = useTeam();
  const [progress, setProgress] = useState<Progress>(() => {
    const email = pendingEmail.read(user.id);
    return email === undefined ? { at: 'shown' } : { at: 'code', email, isFresh: false };
  });
  const card = useFocusOnStep<HTMLDivElement>(progress.at);

  function onCodeSent(email: string): void {
    pendingEmail.save(user.id, email);
    setProgress({ at: 'code', email, isFresh: true });
  }
  function leave(): void {
    pendingEmail.clear();
    setProgress({ at: 'shown' });
  }
  function onChanged(): void {
    leave();
    toast(t('Email changed. Use it to sign in from now on.'));
  }

  return (
    <div ref={card}>
      <Card
        title={t('Email')}
        lead={user.data.emailAddress}
        action={
          progress.at === 'shown' && (
            <Button variant="default" disabled={isDemo} onClick={() => setProgress({ at: 'asking' })}>
              {t('Change email')}
            </Button>
          )
        }
      >
        {progress.at === 'asking' && <NewAddress onCode={onCodeSent} onDone={onChanged} onLeave={leave} />}
        {progress.at === 'code' && <Code email={progress.email} isFresh={progress.isFresh} onDone={onChanged} onLeave={leave} />}
      </Card>
    </div>
  );
}

interface NewAddressProps {
  readonly onCode: (email: string) => void;
  readonly onDone: () => void;
  readonly onLeave: () => void;
}

function NewAddress({ onCode, onDone, onLeave }: NewAddressProps) {
  const change = usePoolAction('changeEmail');
  const fresh = useFreshSignIn(change, t('For your safety, enter your password to change your email.'));
  const form = useForm({ initialValues: { email: '' }, schema: SCHEMA, action: fresh.action });
  const missing = firstMissing(requirement(emailSchema, form.values.email, t('Enter the new address.'))) ?? fresh.missing;
  const submit = (email: string) => fresh.run(() => change.run(email, (needsCode) => (needsCode ? onCode(email) : onDone())));
  return (
    <Form label={t('Change email')} onSubmit={form.onSubmit(({ email }) => void submit(email.trim()))}>
      <EmailField label={t('New email')} autoComplete="email" {...form.getInputProps('email')} />
      {fresh.fields}
      <Submit missing={missing} isPending={fresh.action.isPending} failure={fresh.action.failure}>
        {t('Send code')}
      </Submit>
      <TextLink onClick={onLeave}>{t('Cancel')}</TextLink>
    </Form>
  );
}

interface CodeProps extends Omit<NewAddressProps, 'onCode'> {
  readonly email: string;
  /** The code was sent just now. */
  readonly isFresh: boolean;
}

function Code({ email, isFresh, onDone, onLeave }: CodeProps) {
  const confirm = usePoolAction('confirmNewEmail');
  const resend = usePoolAction('resendEmailCode');
  return (
    <CodeForm
      label={t('Verify the new email')}
      from="mail"
      verb={t('Verify Email')}
      action={{ ...confirm, run: (code) => void confirm.run(code, onDone) }}
      below={
        <>
          <Resend
            isFresh={isFresh}
            onResend={() => resend.run(undefined)}
            failure={resend.failure}
            wayOut={resend.isRefused('too-many') && nextCode()}
          />
          <MailHint />
          <TextLink onClick={onLeave}>{t('Cancel')}</TextLink>
        </>
      }
    >
      <p>
        {t('We emailed a code to {email}. Check your spam folder too. Until you enter it here, your old email stays in use.', { email })}
      </p>
    </CodeForm>
  );
}
