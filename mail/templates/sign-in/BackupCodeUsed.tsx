import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, NotYou, Paragraph } from '../../parts.tsx';

export function BackupCodeUsed({ left, link, ...facts }: Mails['backup-code-used']) {
  const t = useT();
  return (
    <Frame
      title={t('A backup code was used')}
      preview={t('Someone signed in as you with a backup code.')}
      why={t('You’re getting this because one of your backup codes was used.')}
    >
      <Paragraph>{t('You or someone else signed in to Afterword with your password and one of your backup codes.')}</Paragraph>
      <Paragraph>
        {t.count(left, '{count} code is left.', '{count} codes are left.')} {t('You can create new ones in your profile.')}
      </Paragraph>
      <Action to={link}>{t('Open your profile')}</Action>
      <NotYou {...facts} gives={t('Then create new backup codes.')} />
    </Frame>
  );
}
