import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Code, Paragraph, Quiet } from '../../parts.tsx';

export function AddressCode({ code }: Mails['address-code']) {
  const t = useT();
  return (
    <Frame
      title={t('Confirm your new address')}
      preview={t('Enter the code to confirm it.')}
      why={t('You’re getting this because someone gave this address as their new one.')}
    >
      <Paragraph>{t('Enter this code to start signing in with this address. It’s valid for 24 hours.')}</Paragraph>
      <Code>{code}</Code>
      <Quiet>{t('If you didn’t ask for this, you can ignore this email.')}</Quiet>
    </Frame>
  );
}
