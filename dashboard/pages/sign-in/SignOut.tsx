import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { usePoolAction } from '../../session/pool.ts';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../../ui/page/CenteredPage.tsx';
import { Button, Loader } from '../../ui/theme/mantine.ts';

/** Signs out and opens the sign-in screen. */
export function SignOut() {
  const signOut = usePoolAction('signOut');
  const navigate = useNavigate();
  const leave = () => void signOut.run({}, () => void navigate({ to: paths.feed, replace: true }));
  const onMount = useEffectEvent(leave);
  useTitle(t('Sign out'));
  useEffect(() => onMount(), []);

  return (
    <CenteredPage>
      {signOut.failure ? (
        <EmptyState
          role="alert"
          title={<h1>{t('We couldn’t reach the server')}</h1>}
          action={<Button onClick={leave}>{t('Try again')}</Button>}
        >
          {t('You’re still signed in.')}
        </EmptyState>
      ) : (
        <EmptyState role="status" icon={<Loader size="sm" aria-hidden />} title={<h1>{t('Signing out...')}</h1>} />
      )}
    </CenteredPage>
  );
}
