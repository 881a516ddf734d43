import type { Webhook } from '#contract/webhook/webhook.ts';
import { useAction } from '../../data/useAction.ts';
import { EditArea } from '../../frame/EditArea.tsx';
import { moment } from '../../ui/format/time.ts';
import { Form, Submit } from '../../ui/forms/Form.tsx';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Button, Switch } from '../../ui/theme/mantine.ts';
import { Deliveries } from './Deliveries.tsx';
import { Secret } from './Secret.tsx';
import { missingIn, settingsOf, useWebhookForm, WebhookFields, type WebhookValues } from './WebhookFields.tsx';
import styles from './Webhooks.module.css';

/** One webhook: how it is doing, what was sent, and its settings. */
export const WebhookPanel = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => (
  <div className={styles['panel']}>
    <EditArea>
      <State webhook={webhook} />
    </EditArea>
    <Deliveries webhook={webhook} />
    <EditArea isQuiet>
      <Settings key={settingsKey(webhook)} webhook={webhook} />
    </EditArea>
    {webhook.data.format === 'standard' && <Secret webhook={webhook} />}
    <EditArea isQuiet>
      <DeleteWebhook webhook={webhook} onDeleted={onDeleted} />
    </EditArea>
  </div>
);

/** The form begins anew where somebody else has changed what it shows. */
const settingsKey = ({ data: { url, description, events, propertyIds, format, isFull } }: Webhook): string =>
  JSON.stringify([url, description, events, propertyIds, format, isFull]);

/** Whether it is on, and what is wrong with it. */
function State({ webhook: { id, data } }: { webhook: Webhook }) {
  const save = useAction('webhook', 'save');
  return (
    <div className={styles['part']}>
      {data.isGone && <Notice tone="bad">The receiver returned 410 Gone, so the webhook was turned off.</Notice>}
      {data.isOn && data.failingSince !== undefined && (
        <Notice tone="bad">Nothing has arrived since {moment(data.failingSince)}. Failed deliveries are retried.</Notice>
      )}
      <Switch
        label="On"
        description={data.isOn ? undefined : 'Off. Events that happen while it’s off won’t be delivered later.'}
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
  const missing = missingIn(form.values) ?? (form.isDirty() ? undefined : 'Nothing is changed.');
  const submit = (values: WebhookValues) =>
    void save.run({ payload: { id: webhook.id, data: settingsOf(values) } }, () => toast('Webhook saved.'));
  return (
    <section className={styles['part']} aria-labelledby="webhook-settings">
      <h3 id="webhook-settings">Settings</h3>
      <Form label="Webhook" onSubmit={form.onSubmit(submit)}>
        <WebhookFields form={form} />
        <Submit missing={missing} isPending={save.isPending} failure={save.failure}>
          Save webhook
        </Submit>
      </Form>
    </section>
  );
}

/** Deletes at once; it can be taken back. */
function DeleteWebhook({ webhook: { id }, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const remove = useAction('webhook', 'delete', { allowNotFound: true });
  const restore = useAction('webhook', 'restore');

  async function takeBack(): Promise<void> {
    const isBack = await restore.run({ webhookId: id });
    if (isBack) toast('Webhook restored.');
    else toast('The webhook couldn’t be restored.', { tone: 'failed', action: { label: 'Try again', run: () => void takeBack() } });
  }

  function deleted(): void {
    onDeleted();
    toast('The webhook was deleted.', { action: { label: 'Undo', run: () => void takeBack() } });
  }

  return (
    <div className={styles['part']}>
      <div className={styles['buttons']}>
        <Button
          variant="default"
          c="var(--c-danger-text)"
          loading={remove.isPending}
          onClick={() => void remove.run({ webhookId: id }, deleted)}
        >
          Delete webhook
        </Button>
      </div>
      <Notice tone="bad">{remove.failure}</Notice>
    </div>
  );
}
