import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { t } from '../../language.ts';
import { Aside } from '../../ui/forms/Form.tsx';
import { Rich } from '../../ui/Rich.tsx';

/** Tells where to find an email on an installation without a mail server. */
export function MailHint() {
  const source = useSource();
  // The demo sends no email and no requests.
  const mails = useQuery({ ...configQuery, enabled: source.id === 'server' }).data?.mails;
  if (mails === undefined || mails === 'sent') return null;
  return (
    <Aside>
      {t('No mail server is set up here.')}{' '}
      {mails === 'outbox' ? (
        <Rich
          text={t('You’ll find the email in the <outbox>outbox</outbox>, on this computer only.')}
          parts={{
            outbox: (text) => (
              <a href="/outbox" target="_blank" rel="noopener">
                {text}
              </a>
            ),
          }}
        />
      ) : (
        t('Ask the person who runs this installation for the email.')
      )}
    </Aside>
  );
}
