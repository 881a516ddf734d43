import * as v from 'valibot';
import { SIGN_IN_WORDS } from '#contract/identity/identity.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';
import { usePoolAction } from '../../session/pool.ts';
import { PasswordField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { firstMissing, newPassword as newPasswordSchema, requirement } from '../../ui/forms/validation.ts';
import { toast } from '../../ui/messages/Toasts.tsx';

/** The pool's message for a wrong password. */
const WRONG = SIGN_IN_WORDS['Incorrect username or password.'] ?? '';

const SCHEMA = v.object({ oldPassword: v.string(), newPassword: newPasswordSchema });

/** Changes the password. Needs the current one. */
export function PasswordPanel({ onDone }: { onDone: () => void }) {
  const { user, isDemo } = useTeam();
  const change = usePoolAction('changePassword');
  const form = useForm({ initialValues: { oldPassword: '', newPassword: '' }, schema: SCHEMA, action: change, closes: true });
  const { oldPassword, newPassword } = form.values;
  const missing = firstMissing(
    [isDemo, t('This is a demo. Changes are turned off.')],
    [oldPassword === '', t('Enter your current password.')],
    requirement(newPasswordSchema, newPassword, t('Choose a new password of 8 or more characters.')),
    [oldPassword === newPassword, t('The new password must be different.')],
  );

  function onChanged(): void {
    toast(t('Password changed.'));
    onDone();
  }

  return (
    <Form onSubmit={form.onSubmit((passwords) => void change.run(passwords, onChanged))}>
      {/* Lets password managers save the password with the email. */}
      <input type="email" name="username" autoComplete="username" value={user.data.emailAddress} readOnly hidden />
      <PasswordField label={t('Current password')} {...form.getInputProps('oldPassword')} />
      <PasswordField label={t('New password')} isNew {...form.getInputProps('newPassword')} />
      <Submit missing={missing} isPending={change.isPending} failure={reword(change.failure)}>
        {t('Save password')}
      </Submit>
    </Form>
  );
}

const reword = (failure: string | undefined): string | undefined =>
  failure === translatedMessage(WRONG) ? t('That isn’t your current password.') : failure;
