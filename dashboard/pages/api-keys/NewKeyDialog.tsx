import { useState } from 'react';
import * as v from 'valibot';
import { keyName, LONGEST_KEY_NAME } from '#contract/api-key/api-key.ts';
import { KEY_SCOPES, type KeyScope } from '#contract/core/operation.ts';
import { DAY } from '#contract/core/time.ts';
import { translatable } from '#contract/language/translate.ts';
import { useAction } from '../../data/useAction.ts';
import { useFreshSignIn } from '../../frame/security/FreshSignIn.tsx';
import { t } from '../../language.ts';
import { TextField } from '../../ui/forms/Fields.tsx';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useForm } from '../../ui/forms/useForm.ts';
import { firstMissing, requirement } from '../../ui/forms/validation.ts';
import { useFocusOnStep, useNow } from '../../ui/hooks.ts';
import { Dialog } from '../../ui/layers/Dialog.tsx';
import { SecretText } from '../../ui/SecretText.tsx';
import { Button, Checkbox, NativeSelect } from '../../ui/theme/mantine.ts';
import styles from './ApiKeys.module.css';
import { SCOPE_LABELS } from './scope-labels.ts';

const SCOPE_HINTS = translatable({
  'read-feedback': 'With contact details, comments and numbers',
  'request-feedback': 'Ask customers by email, and read to whom emails were sent',
  export: 'Start, download and delete exports',
} satisfies Record<KeyScope, string>);
const UNLIMITED = '';
const LIVES = [
  { value: '30', label: translatable('In 30 days') },
  { value: '90', label: translatable('In 90 days') },
  { value: '365', label: translatable('In a year') },
  { value: UNLIMITED, label: translatable('Never') },
];
const SCHEMA = v.object({ displayName: keyName });

interface NewKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates a key, and shows it once. */
export const NewKeyDialog = ({ isOpen, onClose }: NewKeyDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={t('Create API key')}>
    <NewKey onDone={onClose} />
  </Dialog>
);

interface NewKeyValues {
  displayName: string;
  scopes: KeyScope[];
  life: string;
}

function NewKey({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<string>();
  const steps = useFocusOnStep<HTMLDivElement>(secret === undefined ? 'settings' : 'secret');
  const create = useAction('apiKey', 'create');
  const fresh = useFreshSignIn(create, t('For your safety, enter your password to create a key.'));
  const now = useNow();
  const form = useForm<NewKeyValues>({
    initialValues: { displayName: '', scopes: ['read-feedback'], life: '90' },
    schema: SCHEMA,
    action: create,
    closes: true,
    sentAs: { displayName: 'payload.data.displayName' },
  });
  const { displayName, scopes } = form.values;
  const missing = firstMissing(requirement(keyName, displayName, t('Enter a name.')), [
    scopes.length === 0,
    t('Choose what the key may do.'),
  ]);

  function submit({ life, ...values }: NewKeyValues): void {
    if (fresh.missing !== undefined) return;
    const data = { ...values, ...(life !== UNLIMITED && { expires: now + Number(life) * DAY }) };
    void fresh.run(() => create.run({ payload: { data } }, (answer) => setSecret(answer.secret)));
  }

  if (secret !== undefined)
    return (
      <div ref={steps} className={styles['created']}>
        <p role="status">{t('Copy the key now. For your safety, it isn’t shown again.')}</p>
        <SecretText secret={secret} />
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
    );
  return (
    <Form label={t('API key')} onSubmit={form.onSubmit(submit)}>
      <TextField
        label={t('Name')}
        description={t('The program that uses it.')}
        placeholder={t('Monthly report')}
        autoComplete="off"
        data-autofocus
        limit={LONGEST_KEY_NAME}
        {...form.getInputProps('displayName')}
      />
      <Checkbox.Group label={t('What it may do')} {...form.getInputProps('scopes')}>
        {KEY_SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={t(SCOPE_LABELS[scope])} description={t(SCOPE_HINTS[scope])} mt={8} />
        ))}
      </Checkbox.Group>
      <NativeSelect
        label={t('Expires')}
        data={LIVES.map(({ value, label }) => ({ value, label: t(label) }))}
        {...form.getInputProps('life')}
      />
      {fresh.fields}
      <Submit missing={missing ?? fresh.missing} isPending={fresh.action.isPending} failure={fresh.action.failure}>
        {t('Create key')}
      </Submit>
    </Form>
  );
}
