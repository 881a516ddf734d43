import { create } from 'zustand';
import { emptyCache, readPublicConfig, type TokenProvider } from '../data/client.ts';
import { clearFeedback } from '../data/persisted.ts';
import type { Credentials, NextStep } from './auth.ts';
import type { Stage } from './gate.ts';
import { isReturn, leaveReturn, NOT_BEGUN_HERE, readAnswer } from './hosted-return.ts';

interface SessionState {
  readonly stage: Stage;
  /** The signed-in person; undefined when nobody is signed in. */
  readonly userId: string | undefined;
  readonly isOperator: boolean;
  /** Whether the pool has a page of its own to sign in on, which brings single sign-on. */
  readonly hasHostedLogin: boolean;
}

const SIGNED_OUT = { userId: undefined, isOperator: false } as const;

export const useSession = create<SessionState>()(() => ({ stage: 'start', ...SIGNED_OUT, hasHostedLogin: false }));

/** aws-amplify is large, and only signing in and signed-in people need it. */
let loaded: Promise<typeof import('./auth.ts')> | undefined;

/** What the user pool can do, once it is loaded and configured. Its calls throw a SignInError with the message to show. */
export function loadPool(): Promise<typeof import('./auth.ts')> {
  loaded ??= open().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function open(): Promise<typeof import('./auth.ts')> {
  const [module, config] = await Promise.all([import('./auth.ts'), readPublicConfig()]);
  const hasHostedLogin = config.identity.hostedDomain !== undefined;
  if (hasHostedLogin && isReturn()) (await module.loadHosted()).followReturn();
  module.configureAuth(config);
  useSession.setState({ hasHostedLogin });
  module.onSessionChange((event) => void (event === 'signedIn' ? checkSession() : end()));
  return module;
}

/** Looks whether somebody is signed in (docs/rules.md#gate). Not reaching anybody is not being signed out. */
export async function checkSession(): Promise<void> {
  try {
    const person = await (await loadPool()).currentPerson();
    // Nobody took the answer that the page was opened with.
    if (readAnswer(location)) leaveReturn(person ? undefined : NOT_BEGUN_HERE);
    useSession.setState(
      person === undefined
        ? { stage: 'unauthenticated', ...SIGNED_OUT }
        : { stage: 'authenticated', userId: `USER_${person.sub}`, isOperator: person.isOperator },
    );
  } catch {
    useSession.setState({ stage: 'unreachable' });
  }
}

/** Throws a SignInError with the message to show. */
export async function signIn(credentials: Credentials): Promise<NextStep> {
  const step = await (await loadPool()).signIn(credentials);
  if (step === 'done') await checkSession();
  return step;
}

/** Leaves for the pool's hosted login. Throws a SignInError with the message to show. */
export async function signInElsewhere(): Promise<void> {
  const { loadHosted } = await loadPool();
  await (await loadHosted()).leaveToSignIn();
}

/** The second step of signing in. Throws a SignInError with the message to show. */
export async function answerChallenge(code: string): Promise<void> {
  await (await loadPool()).answerChallenge(code);
  await checkSession();
}

export async function signOut({ allDevices = false } = {}): Promise<void> {
  // First, because a hosted login leads away from this page.
  emptyCache();
  await (await loadPool()).signOut({ allDevices });
  end();
}

/** Ends the session on this device; nothing of the team stays on it. */
function end(): void {
  clearFeedback();
  useSession.setState({ stage: 'unauthenticated', ...SIGNED_OUT });
}

export const tokenProvider: TokenProvider = {
  token: async (fresh) => (await loadPool()).accessToken(fresh),
  ended: () => void signOut().catch(end),
};
