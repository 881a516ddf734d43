import * as v from 'valibot';
import { LEVELS, type Level } from '#contract/user/user.ts';
import { useAction } from '../../data/useAction.ts';
import { MailHint } from '../../frame/security/MailHint.tsx';
import { t } from '../../language.ts';
import { EmailField, TextField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import {
  displayName as displayNameSchema,
  email as emailSchema,
  firstMissing,
  NAME_LIMIT,
  requirement,
} from '../../ui/forms/validation.ts';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Radio } from '../../ui/theme/mantine.ts';
import { LEVEL_LABELS } from '../../ui/UserAvatar.tsx';
import { LEVEL_DESCRIPTIONS } from './rules.ts';

interface InviteDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export const InviteDialog = ({ isOpen, onClose }: InviteDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={t('Invite user')}>
    <Invite onDone={onClose} />
  </Dialog>
);

const SCHEMA = v.object({ displayName: displayNameSchema, email: emailSchema, level: v.picklist(LEVELS) });
const EMPTY: { displayName: string; email: string; level: Level } = { displayName: '', email: '', level: 'user' };

/** Invites someone by email. */
function Invite({ onDone }: { onDone: () => void }) {
  const invite = useAction('user', 'generate');
  const form = useForm({ initialValues: EMPTY, schema: SCHEMA, action: invite, closes: true, sentAs: { email: 'emailAddress' } });
  const missing = firstMissing(
    requirement(displayNameSchema, form.values.displayName, t('Enter a name.')),
    requirement(emailSchema, form.values.email, t('Enter an email address.')),
  );

  function submit({ displayName, email, level }: typeof EMPTY): void {
    const data = { displayName: displayName.trim(), emailAddress: email.trim(), level };
    void invite.run({ payload: { data } }, () => {
      toast(t('Invitation sent to {email}.', { email: data.emailAddress }));
      onDone();
    });
  }

  return (
    <Form label={t('Invite user')} onSubmit={form.onSubmit(submit)}>
      <TextField label={t('Name')} autoComplete="off" data-autofocus limit={NAME_LIMIT} {...form.getInputProps('displayName')} />
      <EmailField autoComplete="off" {...form.getInputProps('email')} />
      <Radio.Group label={t('Level')} {...form.getInputProps('level')}>
        {LEVELS.map((each) => (
          <Radio key={each} value={each} label={t(LEVEL_LABELS[each])} description={t(LEVEL_DESCRIPTIONS[each])} mt={8} />
        ))}
      </Radio.Group>
      <Submit missing={missing} isPending={invite.isPending} failure={invite.failure}>
        {t('Send invitation')}
      </Submit>
      <MailHint />
    </Form>
  );
}
