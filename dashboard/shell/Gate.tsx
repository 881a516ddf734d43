import { Navigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createServerSource } from '../data/client.ts';
import { SourceProvider } from '../data/source.ts';
import { useLoadedTeam } from '../data/useLoadedTeam.ts';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import { paths } from '../paths.ts';
import { gate } from '../session/gate.ts';
import { useMailedLink } from '../session/link.ts';
import { checkSession, signOut, tokenProvider, useSession } from '../session/session.ts';
import { fetchAhead, Later, loadedLater } from '../ui/page/Later.tsx';
import { DeletedAccount } from './DeletedAccount.tsx';
import { KeptFeed } from './KeptFeed.tsx';
import { TeamArea } from './LaterTeamArea.ts';
import { NoAccount } from './NoAccount.tsx';
import { WholePageNotLoaded } from './PageNotLoaded.tsx';
import { teamless } from './teamless.ts';
import { Unreachable } from './Unreachable.tsx';

const SignIn = loadedLater(() => import('../pages/sign-in/SignIn.tsx'), 'SignIn');
const SignUp = loadedLater(() => import('../pages/sign-up/SignUp.tsx'), 'SignUp');
const AcceptInvitation = loadedLater(() => import('../pages/sign-in/AcceptInvitation.tsx'), 'AcceptInvitation');
const ConfirmEmail = loadedLater(() => import('../pages/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail');
const NotMe = loadedLater(() => import('../pages/sign-in/NotMe.tsx'), 'NotMe');
const KeepTwoStep = loadedLater(() => import('../pages/sign-in/KeepTwoStep.tsx'), 'KeepTwoStep');

/** Loads the code that hydrates the prerendered sign-in; returns whether it loaded and nobody is signed in. */
export async function openSignIn(): Promise<boolean> {
  const [isThere] = await Promise.all([fetchAhead(SignIn), checkSession()]);
  return isThere && useSession.getState().stage === 'unauthenticated';
}

const source = createServerSource(tokenProvider);

/** Shows a team's page to people who may see it, and sign-in or sign-up to everyone else (docs/rules.md#gate). */
export function Gate() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // zustand's own hook hydrates with the initial stage; the page was drawn for the current one.
  const session = useSyncExternalStore(useSession.subscribe, useSession.getState, useSession.getState);
  const { stage, userId, isOperator, isOperatorToBe, isDeleted, email } = session;
  const { link } = useMailedLink();
  const { account, user, users, properties, isUserMissing, isStranger, error, retry, refetchAccount } = useLoadedTeam(source, userId);
  useEffect(() => {
    if (stage === 'start') void checkSession();
  }, [stage]);
  // Preloaded, so that sign-in appears without a blank page when a session ends.
  useEffect(() => void SignIn.preload?.(), []);

  const isNamed = isOperator || isOperatorToBe;
  const verdict = gate({ stage, account, isUserMissing, isStranger, isDeleted, isOperator: isNamed, link: link?.to }, path);
  if ('go' in verdict) return <Navigate to={verdict.go} replace />;
  switch (verdict.show) {
    case 'unreachable':
      return <Unreachable onRetry={checkSession} />;
    case 'no-account':
      return <NoAccount />;
    case 'deleted':
      return (
        <Outside>
          <DeletedAccount />
        </Outside>
      );
    case 'operator':
      return (
        <Later waiting={<FrameSkeleton />} failed={<WholePageNotLoaded />}>
          <TeamArea key={userId} source={source} team={{ ...teamless({ userId, email }), isOperator, signOut }} />
        </Later>
      );
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
    case 'confirmation':
      return (
        <Outside>
          <ConfirmEmail />
        </Outside>
      );
    case 'not-me':
      return (
        <Outside>
          <NotMe />
        </Outside>
      );
    case 'keep-two-step':
      return (
        <Outside>
          <KeepTwoStep />
        </Outside>
      );
    case 'sign-up':
      if (error) return <Unreachable error={error} onRetry={retry} />;
      return (
        <Outside>
          <SignUp account={account} user={user} users={users ?? []} isUserMissing={isUserMissing} refetch={refetchAccount} />
        </Outside>
      );
    case 'wait':
    case 'page':
      if (error) return <Unreachable error={error} onRetry={retry} />;
      if (!account || !user || !users || !properties) {
        if (path === paths.signUp) return <Blank />;
        return userId === undefined ? <FrameSkeleton /> : <KeptFeed userId={userId} email={email} />;
      }
      return (
        <Later waiting={<FrameSkeleton />} failed={<WholePageNotLoaded />}>
          <TeamArea
            key={user.id}
            source={source}
            team={{ account, user, users, properties, isOperator, isDemo: false, isTeamless: false, signOut }}
          />
        </Later>
      );
  }
}

/** A screen outside the frame, loaded on demand. */
const Outside = ({ children }: { children: ReactNode }) => (
  <SourceProvider value={source}>
    <Later waiting={<Blank />} failed={<WholePageNotLoaded />}>
      {children}
    </Later>
  </SourceProvider>
);

/** A page whose content hasn't loaded: an empty card would only flash. */
const Blank = () => <main aria-busy />;
