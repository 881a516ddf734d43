import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function WebhookFailing({ host, isGone, link }: Mails['webhook-failing']) {
  const t = useT();
  return (
    <Frame
      title={t('A webhook is failing')}
      preview={isGone ? t('Its receiver returned 410 Gone, so it was turned off.') : t('A message failed after ten attempts.')}
      why={t(
        'You’re getting this because you are an admin of the account. You won’t get another email about it until a delivery succeeds.',
      )}
    >
      <Paragraph>
        {isGone
          ? t('Its receiver returned 410 Gone, so the webhook was turned off. Turn it on again when the receiver is back.')
          : t('A message failed after ten attempts in three days. Newer messages are still sent.')}{' '}
        {t('You can resend failed messages for 30 days.')}
      </Paragraph>
      <Details of={{ [t('Receiver')]: host }} />
      <Action to={link}>{t('View deliveries')}</Action>
    </Frame>
  );
}
