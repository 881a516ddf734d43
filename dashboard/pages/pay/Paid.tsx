import { IconCircleCheck } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { callOrThrow } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { adminNames, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { Button, Loader } from '../../ui/theme/mantine.ts';
import { waitForConfirmation } from './confirmation.ts';
import styles from './PayPage.module.css';

/** Shown after a payment. Continues once the account is active; if that takes longer, explains the delay and never asks to pay again. */
export function Paid({ transactionId }: { transactionId: string }) {
  const { user, users, paths } = useTeam();
  const isAdmin = user.data.level === 'admin';
  const [isAsking, setAsking] = useState(isAdmin);
  const ask = useConfirmation(transactionId);
  useEffect(() => {
    if (!isAsking) return;
    const left = new AbortController();
    const pace = { now: Date.now, sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) };
    void waitForConfirmation(() => ask(left.signal), pace).then((isConfirmed) => {
      if (left.signal.aborted) return;
      // A full load, because the other pages have another content security policy.
      if (isConfirmed) location.assign(paths.feed);
      else setAsking(false);
    });
    return () => left.abort();
  }, [isAsking, ask, paths]);

  return (
    <div role="status">
      <EmptyState
        icon={isAsking ? <Loader size="sm" aria-hidden /> : <IconCircleCheck size={32} stroke={1.5} aria-hidden />}
        title={<h1 tabIndex={-1}>{t('Payment received.')}</h1>}
        action={
          !isAsking && (
            <div className={styles['actions']}>
              <Button component="a" href={paths.feed}>
                {t('Go to feedback')}
              </Button>
              {isAdmin && (
                <Button variant="default" onClick={() => setAsking(true)}>
                  {t('Check again')}
                </Button>
              )}
            </div>
          )
        }
      >
        {isAsking
          ? t('Thank you. You’ll continue in a moment.')
          : isAdmin
            ? t('Activation can take a minute.')
            : t('Activation can take a minute. If nothing changes, ask {names}.', { names: adminNames(users) })}
      </EmptyState>
    </div>
  );
}

/** Returns a function that asks the server whether the provider has confirmed the payment. */
function useConfirmation(transactionId: string): (signal: AbortSignal) => Promise<boolean> {
  const source = useSource();
  return useCallback(
    async (signal) => (await callOrThrow(source, ['account', 'confirmPayment', { transactionId }], signal)).isConfirmed,
    [source, transactionId],
  );
}
