import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Code, Paragraph, Quiet } from '../../parts.tsx';

export function ResetCode({ code, link }: Mails['reset-code']) {
  const t = useT();
  return (
    <Frame
      title={t('Reset your password')}
      preview={t('Valid for 10 minutes.')}
      why={t('You’re getting this because someone asked to reset your password.')}
    >
      {code === undefined ? (
        <Paragraph>{t('Choose a new password with this link. It is valid for 10 minutes.')}</Paragraph>
      ) : (
        <>
          <Paragraph>{t('Choose a new password with this code, or with the link. Both are valid for 10 minutes.')}</Paragraph>
          <Code>{code}</Code>
        </>
      )}
      <Action to={link}>{t('Choose a new password')}</Action>
      <Quiet>{t('If you didn’t ask for this, you can ignore this email. Your password stays the same.')}</Quiet>
    </Frame>
  );
}
