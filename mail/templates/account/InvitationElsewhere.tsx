import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet } from '../../parts.tsx';

export function InvitationElsewhere({ name, invitedBy, company, link }: Mails['invitation-elsewhere']) {
  const t = useT();
  return (
    <Frame
      title={t('You are invited to another team')}
      preview={t('This address already has an account.')}
      why={t('You’re getting this because someone invited you to their team.')}
    >
      <Paragraph>
        {t(
          'This address already belongs to a team on Afterword, and an address can belong to only one team. To join this one, ask to be invited with another address.',
        )}
      </Paragraph>
      <Details of={{ [t('For')]: name, [t('Team')]: company, [t('Invited by')]: invitedBy }} />
      <Action to={link}>{t('Sign in')}</Action>
      <Quiet>{t('If you don’t know them, you can ignore this email. They can’t see that you have an account.')}</Quiet>
    </Frame>
  );
}
