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

/** The pause between automatic attempts (ms), up to doubled, so that not all pages come back at once. */
const PAUSE = 5_000;

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
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };

    function wait(): void {
      timer = setTimeout(() => void retry().finally(() => !isOver && wait()), PAUSE * (1 + Math.random()));
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
