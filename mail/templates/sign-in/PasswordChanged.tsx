import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { NotYou, Paragraph } from '../../parts.tsx';

export function PasswordChanged(props: Mails['password-changed']) {
  const t = useT();
  return (
    <Frame
      title={t('Your password was changed')}
      preview={t('If this was you, there’s nothing to do.')}
      why={t('You’re getting this because your password was changed.')}
    >
      <Paragraph>{t('If this was you, there’s nothing to do.')}</Paragraph>
      <NotYou {...props} />
    </Frame>
  );
}
