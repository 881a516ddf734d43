import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { momentInWords } from '../../format.ts';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph, Quiet } from '../../parts.tsx';

export function AccountDeleted({ company, until, link }: Mails['account-deleted']) {
  const t = useT();
  return (
    <Frame
      title={t('Your account was deleted')}
      preview={t('You can restore it for seven days.')}
      why={t('You’re getting this because you are an admin of the account.')}
    >
      <Paragraph>
        {t('Its forms are closed, and your team can’t use it. After seven days, everything in it is deleted permanently.')}
      </Paragraph>
      <Details of={{ [t('Account')]: company, [t('Restore until')]: momentInWords(t, until) }} />
      <Paragraph>{t('To restore it, sign in and choose “Restore account”.')}</Paragraph>
      <Action to={link}>{t('Sign in')}</Action>
      <Quiet>{t('If you meant to delete it, there’s nothing to do.')}</Quiet>
    </Frame>
  );
}
