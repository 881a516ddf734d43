import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph } from '../../parts.tsx';

export function FormReady({ place, link }: Mails['form-ready']) {
  const t = useT();
  return (
    <Frame
      title={t('Your new feedback form is ready')}
      heading={t('Your form is ready')}
      preview={t('Put its link where visitors see it.')}
      why={t('You’re getting this because you added a property.')}
    >
      <Paragraph>{t('{place} now has its own form. Visitors answer with one tap.', { place })}</Paragraph>
      <Action to={link}>{t('View the form')}</Action>
    </Frame>
  );
}
