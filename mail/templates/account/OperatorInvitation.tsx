import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph, Quiet } from '../../parts.tsx';

export function OperatorInvitation({ link }: Mails['operator-invitation']) {
  const t = useT();
  return (
    <Frame
      title={t('You run an installation of Afterword')}
      preview={t('Choose a password to open the operator area.')}
      why={t('You’re getting this because your address is in OPERATOR_EMAILS.')}
    >
      <Paragraph>
        {t(
          'Choose a password and set up two-step sign-in with an authenticator app to open the operator area. You don’t need a business of your own.',
        )}
      </Paragraph>
      <Action to={link}>{t('Choose a password')}</Action>
      <Quiet>{t('The link works for seven days. After that, the next restart of the installation sends another one.')}</Quiet>
    </Frame>
  );
}
