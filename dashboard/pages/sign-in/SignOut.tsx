import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { signOut } from '../../session/session.ts';
import { Button, Loader } from '../../ui/mantine.ts';
import { Panel } from '../../ui/Panel.tsx';
import { State } from '../../ui/State.tsx';
import { useTitle } from '../../ui/useTitle.ts';

/** Leaves, and says so; then the sign-in screen. */
export function SignOut() {
  const [failed, setFailed] = useState(false);
  const navigate = useNavigate();
  useTitle('Sign out');

  const leave = useCallback(async () => {
    setFailed(false);
    try {
      await signOut();
      await navigate({ to: paths.feed, replace: true });
    } catch {
      setFailed(true);
    }
  }, [navigate]);
  useEffect(() => void leave(), [leave]);

  return (
    <Panel>
      {failed ? (
        <State role="alert" title={<h1>Could not reach the server</h1>} action={<Button onClick={() => void leave()}>Try again</Button>}>
          You are still signed in.
        </State>
      ) : (
        <State role="status" icon={<Loader size="sm" aria-hidden />} title={<h1>Signing out...</h1>} />
      )}
    </Panel>
  );
}
