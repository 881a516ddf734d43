import type { Webhook } from '#contract/webhook/webhook.ts';
import { useAction } from '../../data/useAction.ts';
import { SecretButtons } from '../../frame/SecretButtons.tsx';
import { t } from '../../language.ts';
import { moment } from '../../ui/format/time.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import styles from './Webhooks.module.css';

/** The secret that signs a webhook's requests. */
export function Secret({ webhook: { id: webhookId, data } }: { webhook: Webhook }) {
  const reveal = useAction('webhook', 'reveal');
  const rotate = useAction('webhook', 'rotate');
  return (
    <section className={styles['part']} aria-labelledby="webhook-secret">
      <h3 id="webhook-secret">{t('Secret')}</h3>
      <Aside>
        {data.rotatingUntil === undefined
          ? t('Use it to verify that requests come from Afterword.')
          : t('Requests are also signed with the previous secret until {time}.', { time: moment(data.rotatingUntil) })}
      </Aside>
      <SecretButtons
        layer="rotate-secret"
        reveal={{ ...reveal, worksReadOnly: true, run: (onDone) => void reveal.run({ webhookId }, onDone) }}
        replace={{ ...rotate, isHarmless: true, run: (onDone) => void rotate.run({ webhookId }, onDone) }}
      >
        {t('For 24 hours, requests are signed with both. Update your app in that time.')}
      </SecretButtons>
    </section>
  );
}
