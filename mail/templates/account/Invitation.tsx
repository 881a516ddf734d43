import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet } from '../../parts.tsx';

export function Invitation({ name, invitedBy, company, link }: Mails['invitation']) {
  const t = useT();
  return (
    <Frame
      title={t('You are invited to a team')}
      preview={t('Choose a password to join.')}
      why={t('You’re getting this because someone invited you to their team.')}
    >
      <Paragraph>{t('Afterword collects feedback from your visitors. Choose a password to join.')}</Paragraph>
      <Details of={{ [t('For')]: name, [t('Team')]: company, [t('Invited by')]: invitedBy }} />
      <Action to={link}>{t('Join the team')}</Action>
      <Quiet>{t('If you don’t know them, you can ignore this email.')}</Quiet>
    </Frame>
  );
}
