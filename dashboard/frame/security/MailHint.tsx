import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { t } from '../../language.ts';
import { Aside } from '../../ui/forms/Form.tsx';

/** Tells where to find an email on an installation without a mail server. */
export function MailHint() {
  const source = useSource();
  // The demo sends no email and no requests.
  const mails = useQuery({ ...configQuery, enabled: source.id === 'server' }).data?.mails;
  if (mails === undefined || mails === 'sent') return null;
  return (
    <Aside>
      No mail server is set up here.{' '}
      {mails === 'outbox' ? (
        <>
          You’ll find the email in the{' '}
          <a href="/outbox" target="_blank" rel="noopener">
            {t('outbox')}
          </a>
          , on this computer only.
        </>
      ) : (
        t('Ask the person who runs this installation for the email.')
      )}
    </Aside>
  );
}
