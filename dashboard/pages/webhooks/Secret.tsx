import { useState } from 'react';
import type { Webhook } from '#contract/webhook/webhook.ts';
import { useAction } from '../../data/useAction.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { t } from '../../language.ts';
import { moment } from '../../ui/format/time.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { Notice } from '../../ui/messages/Notice.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { SecretText } from '../../ui/SecretText.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './Webhooks.module.css';

/** Reveals the secret, which is logged, or replaces it. */
export function Secret({ webhook: { id, data } }: { webhook: Webhook }) {
  const [secret, setSecret] = useState<string>();
  const [isAsking, asking] = useLayer('rotate-secret');
  const why = useReadOnly();
  const reveal = useAction('webhook', 'reveal');
  const rotate = useAction('webhook', 'rotate');

  function onRotated({ secret: created }: { secret: string }): void {
    asking.close();
    setSecret(created);
    toast(t('New secret created.'));
  }

  return (
    <section className={styles['part']} aria-labelledby="webhook-secret">
      <h3 id="webhook-secret">{t('Secret')}</h3>
      <Aside>
        {data.rotatingUntil === undefined
          ? t('Use it to verify that requests come from Afterword.')
          : t('Requests are also signed with the previous secret until {time}.', { time: moment(data.rotatingUntil) })}
      </Aside>
      {secret !== undefined && <SecretText secret={secret} />}
      <div className={styles['buttons']}>
        {secret === undefined && (
          <Button
            variant="default"
            loading={reveal.isPending}
            onClick={() => void reveal.run({ webhookId: id }, (answer) => setSecret(answer.secret))}
          >
            {t('Show secret')}
          </Button>
        )}
        <Button variant="default" disabled={why !== undefined} title={why} onClick={asking.open}>
          {t('New secret')}
        </Button>
      </div>
      <Notice tone="bad">{reveal.failure}</Notice>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Create a new secret?')}
        action={{ ...rotate, label: t('Create new secret'), isHarmless: true, run: () => void rotate.run({ webhookId: id }, onRotated) }}
      >
        {t('For 24 hours, requests are signed with both. Update your app in that time.')}
      </ConfirmDialog>
    </section>
  );
}
