import { useState } from 'react';
import { useAction } from '../../data/useAction.ts';
import { t } from '../../language.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { useFocusOnStep } from '../../ui/hooks.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { SecretText } from '../../ui/SecretText.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { missingIn, settingsOf, useWebhookForm, WebhookFields, type WebhookValues } from './WebhookFields.tsx';
import styles from './Webhooks.module.css';

/** Adds a webhook, and shows its secret if the format is signed. */
export function NewWebhook({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<string>();
  const steps = useFocusOnStep<HTMLDivElement>(secret === undefined ? 'settings' : 'secret');
  const save = useAction('webhook', 'save');
  const form = useWebhookForm(undefined, save);

  function submit(values: WebhookValues): void {
    void save.run({ payload: { data: settingsOf(values) } }, ({ secret: created }) => {
      if (values.format === 'standard' && created !== undefined) return setSecret(created);
      toast(t('The webhook was added.'));
      onDone();
    });
  }

  if (secret !== undefined)
    return (
      <div ref={steps} className={styles['panel']}>
        <p role="status">{t('Webhook added. Use this secret to verify that requests come from Afterword.')}</p>
        <SecretText secret={secret} />
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
    );
  return (
    <Form label={t('Webhook')} onSubmit={form.onSubmit(submit)}>
      <WebhookFields form={form} />
      <Submit missing={missingIn(form.values)} isPending={save.isPending} failure={save.failure}>
        {t('Add webhook')}
      </Submit>
    </Form>
  );
}
