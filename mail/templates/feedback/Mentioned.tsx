import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function Mentioned({ by, place, link }: Mails['mentioned']) {
  const t = useT();
  return (
    <Frame
      title={t('A teammate mentioned you')}
      preview={t('In a comment on a visitor’s feedback.')}
      why={t('You’re getting this because a teammate wrote your name in a comment.')}
    >
      <Paragraph>{t('In a comment on a visitor’s feedback. Comments are for your team only, so read it in Afterword.')}</Paragraph>
      <Details of={{ [t('Mentioned by')]: by, [t('Property')]: place }} />
      <Action to={link}>{t('Read the comment')}</Action>
    </Frame>
  );
}
