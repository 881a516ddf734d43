import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiKey, MOST_KEYS } from '#contract/api-key/api-key.ts';
import { apiKeysQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useAction } from '../../data/useAction.ts';
import { AdminsOnly } from '../../frame/Access.tsx';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { personName, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths as site } from '../../paths.ts';
import { AddButton } from '../../ui/AddButton.tsx';
import { ago, day } from '../../ui/format/time.ts';
import { useNow } from '../../ui/hooks.ts';
import { ConfirmDialog } from '../../ui/layers/ConfirmDialog.tsx';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { toast } from '../../ui/messages/Toasts.tsx';
import { LoadingRow } from '../../ui/page/LoadingRow.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { Button } from '../../ui/theme/mantine.ts';
import styles from './ApiKeys.module.css';
import { NewKeyDialog } from './NewKeyDialog.tsx';
import { SCOPE_LABELS } from './scope-labels.ts';

export const ApiKeysPage = () => (
  <AdminsOnly>
    <ApiKeys />
  </AdminsOnly>
);

/** The list of keys with which the business's own programs call the API. */
function ApiKeys() {
  const { account } = useTeam();
  const { data: keys, isError, refetch } = useQuery(apiKeysQuery(useSource(), account.id));
  const [isAdding, adding] = useLayer('add-key');
  const isFull = (keys?.length ?? 0) >= MOST_KEYS;
  const why = useReadOnly() ?? (isFull ? t('You have {most} API keys, the maximum. Revoke one first.', { most: MOST_KEYS }) : undefined);
  return (
    <Page
      title={t('API keys')}
      lead={
        <>
          {t('For your own programs: read feedback, ask customers or start exports without a person signing in.')}{' '}
          <Link to={site.guide('developers')}>{t('How it works')}</Link>
        </>
      }
      actions={
        <AddButton why={why} disabled={keys === undefined} onClick={adding.open}>
          {t('Create key')}
        </AddButton>
      }
    >
      {isError && (
        <LoadFailed onRetry={refetch}>
          {keys ? t('We couldn’t load the API keys; this list may be old.') : t('We couldn’t load the API keys.')}
        </LoadFailed>
      )}
      {(keys !== undefined || !isError) && (
        <div className={rowStyles['rows']} aria-busy={keys === undefined}>
          {keys === undefined ? (
            <LoadingRow />
          ) : keys.length > 0 ? (
            <ul aria-label={t('API keys')}>
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
          ) : (
            <EmptyState icon={<IconKey size={32} stroke={1.5} aria-hidden />} title={t('No API keys yet.')}>
              {t('Create one for each program, with only what it needs.')}
            </EmptyState>
          )}
        </div>
      )}
      <NewKeyDialog isOpen={isAdding} onClose={adding.close} />
    </Page>
  );
}

/** One key. It can be revoked while the account is read-only, too. */
function KeyRow({ apiKey: { id, data } }: { apiKey: ApiKey }) {
  const team = useTeam();
  const now = useNow();
  const [isAsking, asking] = useLayer(`revoke-${id}`);
  const revoke = useAction('apiKey', 'revoke', { allowNotFound: true });
  const { displayName, ending, scopes, author, created, expires, lastUsed } = data;
  const isExpired = expires !== undefined && expires <= now;

  function onRevoked(): void {
    asking.close();
    toast(t('{name} was revoked.', { name: displayName }));
  }

  return (
    <li className={styles['key']}>
      <div>
        <strong dir="auto">{displayName}</strong> <code>…{ending}</code>
        <p>
          {scopes.map((scope) => t(SCOPE_LABELS[scope])).join(', ')}.{' '}
          {lastUsed === undefined ? t('Never used.') : t('Last used {when}.', { when: ago(lastUsed, now) })}
        </p>
        <p>
          {t('Created by {name}, {date}.', { name: personName(team, author), date: day(created) })}{' '}
          {expires !== undefined &&
            (isExpired ? <strong>{t('Expired {date}.', { date: day(expires) })}</strong> : t('Expires {date}.', { date: day(expires) }))}
        </p>
      </div>
      <Button variant="default" aria-label={t('Revoke {name}', { name: displayName })} onClick={asking.open}>
        {t('Revoke')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={asking.close}
        title={t('Revoke {name}?', { name: displayName })}
        action={{ ...revoke, label: t('Revoke key'), run: () => void revoke.run({ apiKeyId: id }, onRevoked) }}
      >
        {t('Programs that use this key stop working at their next request. This can’t be undone.')}
      </ConfirmDialog>
    </li>
  );
}
