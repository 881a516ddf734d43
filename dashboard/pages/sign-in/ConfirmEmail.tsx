import { IconCircleCheck, IconMailOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { clearLink, useMailedLink } from '../../session/link.ts';
import { usePoolAction } from '../../session/pool.ts';
import { useSession } from '../../session/session.ts';
import { useTitle } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../../ui/page/CenteredPage.tsx';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Button, Loader } from '../../ui/theme/mantine.ts';

/** Confirms an email by its emailed link, on any device (docs/decisions/0004-access.md). */
export function ConfirmEmail() {
  const { link } = useMailedLink();
  const { stage } = useSession();
  const [isDone, setDone] = useState(false);
  const confirm = usePoolAction('confirmEmail');
  const navigate = useNavigate();
  const start = useEffectEvent(() => {
    if (link?.to !== 'verify' || isDone || document.visibilityState !== 'visible') return;
    void confirm.run({ username: link.user, code: link.key }, () => setDone(true));
  });
  useTitle(t('Confirm your email'));
  // A prefetched page, or one in a background tab, waits until it is visible.
  useEffect(() => {
    start();
    const again = () => start();
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, []);

  async function proceed(): Promise<void> {
    const email = link?.to === 'verify' ? link.email : '';
    await navigate({ to: paths.feed, state: { signIn: { at: 'login', email, ...(isDone && { news: 'confirmed' }) } } });
    clearLink();
  }

  const button = <Button onClick={() => void proceed()}>{stage === 'authenticated' ? t('Continue') : t('Sign in')}</Button>;
  if (isDone)
    return (
      <Outcome icon={<IconCircleCheck size={32} stroke={1.5} aria-hidden />} title={t('Your email is confirmed')} action={button}>
        {t('The page where you signed up continues automatically.')}
      </Outcome>
    );
  if (confirm.failure !== undefined)
    return (
      <Outcome
        role="alert"
        icon={<IconMailOff size={32} stroke={1.5} aria-hidden />}
        title={t('Your email is not confirmed')}
        action={<Button onClick={start}>{t('Try again')}</Button>}
        below={<TextLink onClick={() => void proceed()}>{t('Sign in')}</TextLink>}
      >
        {confirm.isOffline
          ? confirm.failure
          : t('This link works for one day, and only until a newer email is sent. Use the newest one, or sign up again.')}
      </Outcome>
    );
  return <Outcome icon={<Loader size="sm" aria-hidden />} title={t('Confirming your email...')} />;
}

interface OutcomeProps {
  readonly role?: 'alert' | 'status';
  readonly icon: ReactNode;
  readonly title: string;
  readonly action?: ReactNode;
  readonly below?: ReactNode;
  readonly children?: ReactNode;
}

const Outcome = ({ role = 'status', icon, title, action, below, children }: OutcomeProps) => (
  <CenteredPage below={below}>
    <EmptyState role={role} icon={icon} title={<h1>{title}</h1>} action={action}>
      {children}
    </EmptyState>
  </CenteredPage>
);
