import { Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { createServerSource } from '../data/client.ts';
import { SourceProvider } from '../data/source.ts';
import { TeamProvider } from '../frame/data.tsx';
import { Frame } from '../frame/Frame.tsx';
import { FrameSkeleton } from '../frame/FrameSkeleton.tsx';
import { useLoadedTeam } from '../frame/useLoadedTeam.ts';
import { SignUp } from '../pages/SignUp.tsx';
import { gate } from './gate.ts';
import { checkSession, tokenKeeper, useSession } from './session.ts';
import { Unreachable } from './Unreachable.tsx';

const SignIn = lazy(() => import('../pages/sign-in/SignIn.tsx').then(({ SignIn: page }) => ({ default: page })));

const source = createServerSource(tokenKeeper);

/** Stands before every page of a team: shows it to whoever may see it, and everybody else the way in (SPEC §4). */
export function Gate() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { stage, userId } = useSession();
  const { account, user, users, properties, isUserMissing, failed, retry } = useLoadedTeam(source, userId);
  useEffect(() => {
    if (stage === 'start') void checkSession();
  }, [stage]);

  const verdict = gate({ stage, account, isUserMissing }, path);
  if ('go' in verdict) return <Navigate to={verdict.go} replace />;
  switch (verdict.show) {
    case 'unreachable':
      return <Unreachable onRetry={checkSession} />;
    case 'sign-up':
      return <SignUp />;
    case 'sign-in':
      return (
        <Suspense fallback={<FrameSkeleton />}>
          <SignIn />
        </Suspense>
      );
    case 'wait':
    case 'page':
      if (failed) return <Unreachable onRetry={retry} />;
      if (!account || !user || !users || !properties) return <FrameSkeleton />;
      return (
        <SourceProvider value={source}>
          <TeamProvider key={user.id} value={{ account, user, users, properties, isDemo: false }}>
            <Frame>
              <Outlet />
            </Frame>
          </TeamProvider>
        </SourceProvider>
      );
  }
}
