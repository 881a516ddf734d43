import { IconCloudOff } from '@tabler/icons-react';
import { useState } from 'react';
import { CenteredPage } from '../ui/CenteredPage.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useTitle } from '../ui/hooks.ts';
import { Button, useWindowEvent } from '../ui/mantine.ts';

/** The server could not be reached, which is not being signed out. Tries again by itself as soon as there is a network. */
export function Unreachable({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const [isTrying, setTrying] = useState(false);
  useTitle('Offline');
  useWindowEvent('online', () => void onRetry());

  async function tryAgain(): Promise<void> {
    setTrying(true);
    await onRetry();
    setTrying(false);
  }

  return (
    <CenteredPage>
      <EmptyState
        role="alert"
        icon={<IconCloudOff size={32} stroke={1.5} aria-hidden />}
        title={<h1>Could not reach the server</h1>}
        action={
          <Button onClick={() => void tryAgain()} loading={isTrying}>
            Try again
          </Button>
        }
      >
        You’re still signed in. We’ll carry on as soon as we can reach the server.
      </EmptyState>
    </CenteredPage>
  );
}
