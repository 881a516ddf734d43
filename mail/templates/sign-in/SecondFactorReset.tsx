import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function SecondFactorReset({ by, link }: Mails['second-factor-reset']) {
  const t = useT();
  return (
    <Frame
      title={t('Your two-step sign-in was turned off')}
      preview={t('Your password alone opens your account now.')}
      why={t('You’re getting this because your two-step sign-in was turned off.')}
    >
      <Paragraph>{t('You were signed out everywhere. From now on, your password alone opens your account.')}</Paragraph>
      <Details of={{ [t('Done by')]: by ?? t('an operator of this installation, as we wrote to you a day ago') }} />
      <Paragraph>{t('Sign in and set it up again, with the authenticator app on your new phone.')}</Paragraph>
      <Paragraph>{t('If you didn’t ask for this, change your password, and ask who did.')}</Paragraph>
      <Action to={link}>{t('Open your profile')}</Action>
    </Frame>
  );
}
