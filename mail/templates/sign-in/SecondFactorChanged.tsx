import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { NotYou, Paragraph } from '../../parts.tsx';

export function SecondFactorChanged({ isOn, ...facts }: Mails['second-factor-changed']) {
  const t = useT();
  return (
    <Frame
      title={isOn ? t('Two-step sign-in was turned on') : t('Two-step sign-in was turned off')}
      preview={t('If this was you, there’s nothing to do.')}
      why={t('You’re getting this because how you sign in was changed.')}
    >
      <Paragraph>
        {isOn ? t('From now on, signing in requires a code from an app.') : t('From now on, your password alone is enough to sign in.')}{' '}
        {t('If this was you, there’s nothing to do.')}
      </Paragraph>
      <NotYou {...facts} />
    </Frame>
  );
}
