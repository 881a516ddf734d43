import type { Webhook } from '#contract/webhook/webhook.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { t } from '../../language.ts';
import { moment } from '../../ui/format/time.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Button, Switch } from '../../ui/theme/mantine.ts';
import { Deliveries } from './Deliveries.tsx';
import { Secret } from './Secret.tsx';
import { missingIn, settingsOf, useWebhookForm, WebhookFields, type WebhookValues } from './WebhookFields.tsx';
import styles from './Webhooks.module.css';

/** One webhook: its state, messages and settings. */
export const WebhookPanel = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => (
  <div className={styles['panel']}>
    <EditArea>
      <State webhook={webhook} />
    </EditArea>
    <Deliveries webhook={webhook} />
    <EditArea isQuiet>
      <Settings key={webhook.id} webhook={webhook} />
    </EditArea>
    {webhook.data.format === 'standard' && <Secret webhook={webhook} />}
    <EditArea isQuiet>
      <DeleteWebhook webhook={webhook} onDeleted={onDeleted} />
    </EditArea>
  </div>
);

/** The on/off switch, and any problem. */
function State({ webhook: { id, data } }: { webhook: Webhook }) {
  const save = useAction('webhook', 'save');
  return (
    <div className={styles['part']}>
      {data.isGone && <Notice tone="bad">{t('The receiver returned 410 Gone, so the webhook was turned off.')}</Notice>}
      {data.isOn && data.failingSince !== undefined && (
        <Notice tone="bad">
          {t('Nothing has arrived since {time}. Failed deliveries are retried.', { time: moment(data.failingSince) })}
        </Notice>
      )}
      <Switch
        label={t.in('webhook', 'On')}
        description={data.isOn ? undefined : t('Off. Events that happen while it’s off won’t be delivered later.')}
        checked={data.isOn}
        disabled={save.isPending}
        onChange={({ currentTarget }) => void save.run({ payload: { id, data: { isOn: currentTarget.checked } } })}
      />
      <Notice tone="bad">{save.failure}</Notice>
    </div>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const save = useAction('webhook', 'save');
  const form = useWebhookForm(webhook, save);
  const missing = missingIn(form.values) ?? (form.isDirty() ? undefined : t('No changes to save.'));
  const submit = (values: WebhookValues) =>
    void save.run({ payload: { id: webhook.id, data: settingsOf(values) } }, () => toast(t('Webhook saved.')));
  return (
    <section className={styles['part']} aria-labelledby="webhook-settings">
      <h3 id="webhook-settings">{t('Settings')}</h3>
      <Form label={t('Webhook')} onSubmit={form.onSubmit(submit)}>
        <WebhookFields form={form} />
        <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
          {t('Save webhook')}
        </Submit>
      </Form>
    </section>
  );
}

/** Deletes at once, with an undo. */
function DeleteWebhook({ webhook: { id }, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const remove = useAction('webhook', 'delete', { allowNotFound: true });
  const restore = useAction('webhook', 'restore');

  async function undoDelete(): Promise<void> {
    const isRestored = await restore.run({ webhookId: id });
    if (isRestored) toast(t('Webhook restored.'));
    else toast(t('The webhook couldn’t be restored.'), { tone: 'failed', action: { label: t('Try again'), run: () => void undoDelete() } });
  }

  function afterDelete(): void {
    onDeleted();
    toast(t('The webhook was deleted.'), { action: { label: t('Undo'), run: () => void undoDelete() } });
  }

  return (
    <div className={styles['part']}>
      <div className={styles['buttons']}>
        <Button
          variant="default"
          c="var(--c-danger-text)"
          loading={remove.isPending}
          onClick={() => void remove.run({ webhookId: id }, afterDelete)}
        >
          {t('Delete webhook')}
        </Button>
      </div>
      <Notice tone="bad">{remove.failure}</Notice>
    </div>
  );
}
