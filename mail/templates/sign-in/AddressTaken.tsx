import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, Paragraph, Quiet } from '../../parts.tsx';

export function AddressTaken({ link }: Mails['address-taken']) {
  const t = useT();
  return (
    <Frame
      title={t('You already have an account')}
      preview={t('Sign in with this address.')}
      why={t('You’re getting this because someone gave this address.')}
    >
      <Paragraph>
        {t('Someone, probably you, signed up with this address or tried to change to it. It already has an account, so nothing changed.')}
      </Paragraph>
      <Action to={link}>{t('Sign in')}</Action>
      <Quiet>
        {t('If you forgot your password, choose “Forgot password” on the sign-in page. If this wasn’t you, you can ignore this email.')}
      </Quiet>
    </Frame>
  );
}
