import * as v from 'valibot';
import { useAction } from '../../data/useAction.ts';
import { MailHint } from '../../frame/security/MailHint.tsx';
import { t } from '../../language.ts';
import { EmailField, TextField } from '../../ui/forms/Fields.tsx';
import { Form, Lead, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import {
  displayName as displayNameSchema,
  email as emailSchema,
  firstMissing,
  NAME_LIMIT,
  requirement,
} from '../../ui/forms/validation.ts';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Button } from '../../ui/theme/mantine.ts';

/** A button that creates an account for a business and emails its admin a sign-in link. */
export function InviteBusiness() {
  const [isOpen, layer] = useLayer('invite-business');
  return (
    <>
      <Button variant="default" onClick={layer.open}>
        {t('Invite a business')}
      </Button>
      <Dialog isOpen={isOpen} onClose={layer.close} title={t('Invite a business')}>
        <Invite onDone={layer.close} />
      </Dialog>
    </>
  );
}

const SCHEMA = v.object({ companyName: displayNameSchema, displayName: displayNameSchema, email: emailSchema });
const EMPTY = { companyName: '', displayName: '', email: '' };

function Invite({ onDone }: { onDone: () => void }) {
  const invite = useAction('account', 'invite');
  const form = useForm({ initialValues: EMPTY, schema: SCHEMA, action: invite, closes: true, sentAs: { email: 'emailAddress' } });
  const missing = firstMissing(
    requirement(displayNameSchema, form.values.companyName, t('Enter the company’s name.')),
    requirement(displayNameSchema, form.values.displayName, t('Enter a name.')),
    requirement(emailSchema, form.values.email, t('Enter an email address.')),
  );

  function submit({ companyName, displayName, email }: typeof EMPTY): void {
    const emailAddress = email.trim();
    void invite.run({ companyName: companyName.trim(), displayName: displayName.trim(), emailAddress }, ({ isOwn }) => {
      toast(isOwn ? t('Your account is open. Set it up next.') : t('Invitation sent to {email}.', { email: emailAddress }));
      onDone();
    });
  }

  return (
    <Form label={t('Invite a business')} onSubmit={form.onSubmit(submit)}>
      <Lead>{t('They get an email with a link to open their account. To resend it, invite the same address.')}</Lead>
      <TextField label={t('Company name')} autoComplete="off" data-autofocus limit={NAME_LIMIT} {...form.getInputProps('companyName')} />
      <TextField label={t('Name')} autoComplete="off" limit={NAME_LIMIT} {...form.getInputProps('displayName')} />
      <EmailField autoComplete="off" {...form.getInputProps('email')} />
      <Submit missing={missing} isPending={invite.isPending} failure={invite.failure}>
        {t('Send invitation')}
      </Submit>
      <MailHint />
    </Form>
  );
}
