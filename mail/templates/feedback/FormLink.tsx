import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph, Quiet } from '../../parts.tsx';

export function FormLink({ place, link, trial }: Mails['form-link']) {
  const t = useT();
  return (
    <Frame
      title={t('The link to your form')}
      heading={t('Your form, on your phone')}
      preview={t('Open it on your phone and tap a face.')}
      why={t('You’re getting this because you asked for it.')}
    >
      <Paragraph>
        {t('Open the form of {place} and tap a face: it arrives in your feed within a second. Your answer is marked as a test.', { place })}
      </Paragraph>
      <Action to={trial}>{t('Try the form')}</Action>
      <Quiet>{t('To share with visitors: {link}', { link })}</Quiet>
    </Frame>
  );
}
