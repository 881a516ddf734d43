import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function ApiKeyCreated({ by, name, link }: Mails['api-key-created']) {
  const t = useT();
  return (
    <Frame
      title={t('An API key was created')}
      preview={t('If your team created it, there’s nothing to do.')}
      why={t('You’re getting this because you’re an admin of the team.')}
    >
      <Paragraph>
        {t('Programs can use your team’s data with this key, without signing in.')} {t('If your team created it, there’s nothing to do.')}{' '}
        {t('If not, revoke it.')}
      </Paragraph>
      <Details of={{ [t('Name')]: name, [t('Created by')]: by }} />
      <Action to={link}>{t('Open API keys')}</Action>
    </Frame>
  );
}
