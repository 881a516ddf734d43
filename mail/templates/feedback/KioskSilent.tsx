import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function KioskSilent({ kiosk, place, link }: Mails['kiosk-silent']) {
  const t = useT();
  return (
    <Frame
      title={t('A kiosk is silent')}
      preview={t('It hasn’t reported for 15 minutes during its opening hours.')}
      why={t(
        'You’re getting this because you receive alerts for this property, or are an admin. You won’t get another email about it until it reports again.',
      )}
    >
      <Paragraph>
        {t(
          'It hasn’t reported for 15 minutes during its opening hours. Check that the tablet is on, charged and connected. Answers given without a network are stored on it and delivered later.',
        )}
      </Paragraph>
      <Details of={{ [t('Kiosk')]: kiosk, [t('Property')]: place }} />
      <Action to={link}>{t('View the property')}</Action>
    </Frame>
  );
}
