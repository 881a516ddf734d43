import { Navigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { createServerSource } from '../data/client.ts';
import { SourceProvider } from '../data/source.ts';
import { useLoadedTeam } from '../data/useLoadedTeam.ts';
import { FrameSkeleton } from '../frame/chrome/FrameSkeleton.tsx';
import type { Team } from '../frame/team.ts';
import { paths } from '../paths.ts';
import { gate } from '../session/gate.ts';
import { useMailedLink } from '../session/link.ts';
import { checkSession, signOut, tokenProvider, useSession } from '../session/session.ts';
import { useIsAfterStart } from '../ui/hooks.ts';
import { fetchAhead, Later, loadedLater } from '../ui/page/Later.tsx';
import { DeletedAccount } from './DeletedAccount.tsx';
import { TeamArea } from './LazyTeamArea.ts';
import { NoAccount } from './NoAccount.tsx';
import { WholePageNotLoaded } from './PageNotLoaded.tsx';
import { PersistedFeed } from './PersistedFeed.tsx';
import { teamless } from './teamless.ts';
import { Unreachable } from './Unreachable.tsx';

const SignIn = loadedLater(() => import('../pages/sign-in/SignIn.tsx'), 'SignIn');
const SignUp = loadedLater(() => import('../pages/sign-up/SignUp.tsx'), 'SignUp');
const AcceptInvitation = loadedLater(() => import('../pages/sign-in/AcceptInvitation.tsx'), 'AcceptInvitation');
const ConfirmEmail = loadedLater(() => import('../pages/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail');
const NotMe = loadedLater(() => import('../pages/sign-in/NotMe.tsx'), 'NotMe');
const KeepTwoStep = loadedLater(() => import('../pages/sign-in/KeepTwoStep.tsx'), 'KeepTwoStep');

/** Loads the code that hydrates the prerendered sign-in; returns whether it loaded and the person is signed out. */
export async function openSignIn(): Promise<boolean> {
  const [isThere] = await Promise.all([fetchAhead(SignIn), checkSession()]);
  return isThere && useSession.getState().stage === 'unauthenticated';
}

const source = createServerSource(tokenProvider);

/** zustand's own hook hydrates with the initial stage; the page was drawn for the current one. */
const useCurrentSession = () => useSyncExternalStore(useSession.subscribe, useSession.getState, useSession.getState);

const OUTSIDE = {
  deleted: DeletedAccount,
  'sign-in': SignIn,
  invitation: AcceptInvitation,
  confirmation: ConfirmEmail,
  'not-me': NotMe,
  'keep-two-step': KeepTwoStep,
};

/** Shows a team's page to people who may see it, and sign-in or sign-up to everyone else (docs/rules.md#gate). */
export function Gate() {
  // Of the page that is shown, because during a navigation the location is already the next one’s.
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' });
  const { stage, userId, isOperator, isOperatorToBe, isDeleted, email } = useCurrentSession();
  const { link } = useMailedLink();
  const loaded = useLoadedTeam(source, userId);
  const { account, isUserMissing, isStranger } = loaded;
  useEffect(() => {
    if (stage === 'start') void checkSession();
  }, [stage]);
  const isAfterStart = useIsAfterStart();
  // Preloaded, so that sign-in appears without a blank page when a session ends.
  useEffect(() => {
    if (isAfterStart) void SignIn.preload?.();
  }, [isAfterStart]);

  const isNamed = isOperator || isOperatorToBe;
  const verdict = gate({ stage, account, isUserMissing, isStranger, isDeleted, isOperator: isNamed, link: link?.to }, path);
  if ('go' in verdict)
    return (
      <>
        <Navigate to={verdict.go} replace />
        {verdict.go === paths.signUp ? <Blank /> : <FrameSkeleton />}
      </>
    );
  switch (verdict.show) {
    case 'unreachable':
      return <Unreachable onRetry={checkSession} />;
    case 'no-account':
      return <NoAccount />;
    case 'operator':
      return <TeamFrame team={{ ...teamless({ userId, email }), isOperator, signOut }} />;
    case 'sign-up':
      return <SignUpScreen loaded={loaded} />;
    case 'wait':
    case 'page':
      return <TeamPage loaded={loaded} />;
    default: {
      const Screen = OUTSIDE[verdict.show];
      return (
        <Outside>
          <Screen />
        </Outside>
      );
    }
  }
}

interface WithLoaded {
  readonly loaded: ReturnType<typeof useLoadedTeam>;
}

function SignUpScreen({ loaded: { account, user, users, isUserMissing, error, retry, refetchAccount } }: WithLoaded) {
  if (error) return <Unreachable error={error} onRetry={retry} />;
  return (
    <Outside>
      <SignUp account={account} user={user} users={users ?? []} isUserMissing={isUserMissing} refetch={refetchAccount} />
    </Outside>
  );
}

/** A page of the team, or what is shown until that has loaded. */
function TeamPage({ loaded: { account, user, users, properties, isNavigable, error, retry } }: WithLoaded) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { userId, email, isOperator } = useCurrentSession();
  if (error) return <Unreachable error={error} onRetry={retry} />;
  if (account && user && users && properties && isNavigable)
    return <TeamFrame team={{ account, user, users, properties, isOperator, isDemo: false, isTeamless: false, signOut }} />;
  if (path === paths.signUp) return <Blank />;
  return userId === undefined ? <FrameSkeleton /> : <PersistedFeed userId={userId} email={email} />;
}

const TeamFrame = ({ team }: { team: Team }) => (
  <Later waiting={<FrameSkeleton />} failed={<WholePageNotLoaded />}>
    <TeamArea key={team.user.id} source={source} team={team} />
  </Later>
);

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
