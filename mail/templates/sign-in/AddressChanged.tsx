import type { Mails } from '#contract/mail/mail.ts';
import { Frame } from '../../Frame.tsx';
import { useT } from '../../language.tsx';
import { Action, NotYou, Paragraph } from '../../parts.tsx';

export function AddressChanged({ when, device, lock, link }: Mails['address-changed']) {
  const t = useT();
  return (
    <Frame
      title={t('Your address was changed')}
      preview={t('You now sign in with a different address.')}
      why={t('You’re getting this because this was your address until now.')}
    >
      <Paragraph>{t('You now sign in to Afterword with a different address.')}</Paragraph>
      {when !== undefined && device !== undefined && lock !== undefined ? (
        <NotYou when={when} device={device} lock={lock} gives={t('You can sign in with this address again.')} />
      ) : (
        <>
          <Paragraph>
            {t('If you didn’t change it, ask an admin of your team to remove your access, and don’t share your password with anyone.')}
          </Paragraph>
          <Action to={link}>{t('Open Afterword')}</Action>
        </>
      )}
    </Frame>
  );
}
