import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CallError, messageOf } from '../data/errors.ts';
import { t } from '../language.ts';
import { useStable, useTitle } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import { CenteredPage } from '../ui/page/CenteredPage.tsx';
import { Button, useWindowEvent } from '../ui/theme/mantine.ts';

interface UnreachableProps {
  /** Missing if only the network can be at fault. */
  readonly error?: Error;
  readonly onRetry: () => Promise<unknown>;
}

/** The first and the longest pause between automatic attempts (ms). A random part spreads them, so that not all pages come back at once. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [5_000, 30_000];

/** The server didn't answer, or failed; the person is still signed in. Tries again automatically, at once when there is a network. */
export function Unreachable({ error, onRetry }: UnreachableProps) {
  const [isTrying, setTrying] = useState(false);
  const isServerError = error instanceof CallError && !error.isOffline;
  useTitle(isServerError ? t('Server error') : t('Offline'));
  const retry = useStable(onRetry);
  useWindowEvent('online', () => void retry());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    wait(FIRST_PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };

    function wait(pause: number): void {
      const next = () => !isOver && wait(Math.min(2 * pause, LONGEST_PAUSE));
      timer = setTimeout(() => void retry().finally(next), pause * (1 + Math.random()));
    }
  }, [retry]);

  async function tryAgain(): Promise<void> {
    setTrying(true);
    await retry();
    setTrying(false);
  }

  return (
    <CenteredPage>
      <EmptyState
        role="alert"
        icon={<IconCloudOff size={32} stroke={1.5} aria-hidden />}
        title={<h1>{isServerError ? t('The server has a problem') : t('We couldn’t reach the server')}</h1>}
        action={
          <Button onClick={() => void tryAgain()} loading={isTrying}>
            {t('Try again')}
          </Button>
        }
      >
        {t('You’re still signed in.')} {isServerError ? messageOf(error) : t('We’ll continue as soon as we can reach the server.')}
      </EmptyState>
    </CenteredPage>
  );
}
