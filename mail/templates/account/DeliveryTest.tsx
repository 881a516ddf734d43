import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph } from '../../parts.tsx';

export function DeliveryTest({ name, link }: Mails['delivery-test']) {
  const t = useT();
  return (
    <Frame
      title={t('Test email from Afterword')}
      heading={t('Email works')}
      preview={t('Email from Afterword reaches you.')}
      why={t('You’re getting this because you asked for a test.')}
    >
      <Paragraph>{t('Hello {name}, this is the test you asked for. Alerts and reports arrive the same way.', { name })}</Paragraph>
      <Action to={link}>{t('Back to Afterword')}</Action>
    </Frame>
  );
}
