import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Details, Paragraph } from '../../parts.tsx';

export function MessageReceived({ kind, from, link }: Mails['message-received']) {
  const t = useT();
  return (
    <Frame
      title={t('A team sent you a message')}
      preview={t('Read it in the operator area.')}
      why={t('You’re getting this because you run this installation of Afterword.')}
    >
      <Paragraph>
        {kind === 'bug'
          ? t('Someone sent a bug report. Read it in the operator area.')
          : t('Someone sent feedback about the product. Read it in the operator area.')}
      </Paragraph>
      <Details of={{ [t('From')]: from }} />
      <Action to={link}>{t('Read the message')}</Action>
    </Frame>
  );
}
