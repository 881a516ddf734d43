import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function ConversationReported({ place, link }: Mails['conversation-reported']) {
  const t = useT();
  return (
    <Frame
      title={t('A visitor reported a conversation')}
      preview={t('Something was wrong with a private reply.')}
      why={t('You’re getting this because you’re an admin of the team.')}
    >
      <Paragraph>{t('Read what the team and the visitor wrote. You can close the conversation, or answer the visitor.')}</Paragraph>
      <Details of={{ [t('Property')]: place }} />
      <Action to={link}>{t('Open the feedback')}</Action>
    </Frame>
  );
}
