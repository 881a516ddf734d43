import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { momentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function SecondFactorResetAsked({ by, when, link }: Mails['second-factor-reset-asked']) {
  const t = useT();
  return (
    <Frame
      title={t('Your two-step sign-in is about to be turned off')}
      preview={t('If you didn’t ask for this, refuse it now.')}
      why={t('You’re getting this because someone asked to turn your two-step sign-in off.')}
    >
      <Paragraph>
        {t('An operator of this installation of Afterword was asked to turn it off because an authenticator app was lost.')}
      </Paragraph>
      <Details of={{ [t('Asked by')]: by, [t('Happens on')]: momentInWords(t, when) }} />
      <Paragraph>{t('If you asked for this, there’s nothing to do. You’ll be able to sign in with just your password.')}</Paragraph>
      <Paragraph>{t('If you didn’t, keep it on with this button. Signing in with your app or a backup code also keeps it on.')}</Paragraph>
      <Action to={link}>{t('Keep two-step sign-in')}</Action>
    </Frame>
  );
}
