import { Navigate, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { createServerSource } from '../data/client.ts';
import { SourceProvider } from '../data/source.ts';
import { useLoadedTeam } from '../data/useLoadedTeam.ts';
import { FrameSkeleton } from '../frame/FrameSkeleton.tsx';
import { paths } from '../paths.ts';
import { gate } from '../session/gate.ts';
import { useMailedLink } from '../session/link.ts';
import { checkSession, signOut, tokenProvider, useSession } from '../session/session.ts';
import { CenteredPage } from '../ui/CenteredPage.tsx';
import { NoAccount } from './NoAccount.tsx';
import { TeamArea } from './TeamArea.tsx';
import { Unreachable } from './Unreachable.tsx';

const SignIn = lazy(() => import('../pages/sign-in/SignIn.tsx').then(({ SignIn: page }) => ({ default: page })));
const SignUp = lazy(() => import('../pages/sign-up/SignUp.tsx').then(({ SignUp: page }) => ({ default: page })));
const AcceptInvitation = lazy(() =>
  import('../pages/sign-in/AcceptInvitation.tsx').then(({ AcceptInvitation: page }) => ({ default: page })),
);

const source = createServerSource(tokenProvider);

/** Stands before every page of a team: shows it to people who may see it, and signing in or up to the others (docs/rules.md#gate). */
export function Gate() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { stage, userId, isOperator } = useSession();
  const { link } = useMailedLink();
  const { account, user, users, properties, isUserMissing, isStranger, failed, retry, refetchAccount } = useLoadedTeam(source, userId);
  useEffect(() => {
    if (stage === 'start') void checkSession();
  }, [stage]);

  const verdict = gate({ stage, account, isUserMissing, isStranger, link: link?.to }, path);
  if ('go' in verdict) return <Navigate to={verdict.go} replace />;
  switch (verdict.show) {
    case 'unreachable':
      return <Unreachable onRetry={checkSession} />;
    case 'no-account':
      return <NoAccount />;
    case 'sign-in':
      return (
        <Outside>
          <SignIn />
        </Outside>
      );
    case 'invitation':
      return (
        <Outside>
          <AcceptInvitation />
        </Outside>
      );
    case 'sign-up':
      if (failed) return <Unreachable onRetry={retry} />;
      return (
        <Outside>
          <SignUp account={account} user={user} users={users ?? []} isUserMissing={isUserMissing} refetch={refetchAccount} />
        </Outside>
      );
    case 'wait':
    case 'page':
      if (failed) return <Unreachable onRetry={retry} />;
      if (!account || !user || !users || !properties) return path === paths.signUp ? <Blank /> : <FrameSkeleton />;
      return <TeamArea key={user.id} source={source} team={{ account, user, users, properties, isOperator, isDemo: false, signOut }} />;
  }
}

/** A screen for people who are not signed in, loaded when it is needed. */
const Outside = ({ children }: { children: ReactNode }) => (
  <SourceProvider value={source}>
    <Suspense fallback={<Blank />}>{children}</Suspense>
  </SourceProvider>
);

/** A page whose content is not loaded yet. */
const Blank = () => (
  <CenteredPage>
    <div aria-busy />
  </CenteredPage>
);
