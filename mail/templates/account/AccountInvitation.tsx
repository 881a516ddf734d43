import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet } from '../../parts.tsx';

export function AccountInvitation({ name, company, link }: Mails['account-invitation']) {
  const t = useT();
  return (
    <Frame
      title={t('Open your account')}
      preview={t('Choose a password to begin.')}
      why={t('You’re getting this because an operator of Afterword invited your business.')}
    >
      <Paragraph>{t('Afterword collects feedback from your visitors. Choose a password and set up your first form.')}</Paragraph>
      <Details of={{ [t('For')]: name, [t('Business')]: company }} />
      <Action to={link}>{t('Open my account')}</Action>
      <Quiet>{t('The link works for seven days. If you weren’t expecting it, you can ignore this email.')}</Quiet>
    </Frame>
  );
}
