import { create } from 'zustand';
import { configInDocument, emptyCache, readPublicConfig, type TokenProvider } from '../data/client.ts';
import { isRefused } from '../data/errors.ts';
import { clearFeedback } from '../data/persisted.ts';
import { quietly } from '../data/storage.ts';
import { t } from '../language.ts';
import type { PoolUser } from './auth.ts';
import { poolUnreachable } from './errors.ts';
import type { Stage } from './gate.ts';
import { isReturn, leaveReturn, NOT_BEGUN_HERE, readAnswer } from './hosted-return.ts';
import type { Credentials, NextStep } from './pool-actions.ts';
import { leaveBrowser } from './push.ts';

interface SessionState {
  readonly stage: Stage;
  /** The signed-in person; undefined while signed out. */
  readonly userId: string | undefined;
  readonly isOperator: boolean;
  /** The server reports that this person’s account is deleted. */
  readonly isDeleted: boolean;
  /** The settings list the person as an operator, but they haven't signed in with a second factor yet. */
  readonly isOperatorToBe: boolean;
  /** The email that the person signs in with; empty while signed out. */
  readonly email: string;
  /** The pool has its own sign-in page, for single sign-on. */
  readonly hasHostedLogin: boolean;
  /** The product is its own user pool: only then are there backup codes, and a new password ends other sessions. */
  readonly isOwnPool: boolean;
  /** The message for a session that ended without the person's doing; undefined if there is nothing to show. */
  readonly whyEnded: string | undefined;
}

const SIGNED_OUT = { userId: undefined, isOperator: false, isOperatorToBe: false, isDeleted: false, email: '' } as const;

export const useSession = create<SessionState>()(() => ({
  stage: 'start',
  ...SIGNED_OUT,
  hasHostedLogin: configInDocument()?.identity.hostedDomain !== undefined,
  isOwnPool: false,
  whyEnded: undefined,
}));

/** Loaded on demand: aws-amplify is large, and only sign-in and signed-in people need it. */
let authModule: Promise<typeof import('./auth.ts')> | undefined;

/** Loads and configures the session's functions. They throw a `SignInError` with the message to show. */
function loadAuth(): Promise<typeof import('./auth.ts')> {
  authModule ??= open().catch((error: unknown) => {
    authModule = undefined;
    throw error;
  });
  return authModule;
}

/** Loads the user pool's other functions, which throw a `SignInError` too. */
export async function loadPool(): Promise<typeof import('./pool-actions.ts')> {
  const [actions] = await Promise.all([import('./pool-actions.ts'), loadAuth()]).catch(() => {
    throw poolUnreachable();
  });
  return actions;
}

async function open(): Promise<typeof import('./auth.ts')> {
  const [module, config] = await Promise.all([import('./auth.ts'), readPublicConfig()]);
  const hasHostedLogin = config.identity.hostedDomain !== undefined;
  if (hasHostedLogin && isReturn()) (await module.loadHosted()).followReturn();
  module.configureAuth(config);
  // The product's own pool is a path of this site.
  useSession.setState({ hasHostedLogin, isOwnPool: config.identity.userPoolEndpoint?.startsWith('/') ?? false });
  module.onSessionChange((event, why) => void (event === 'signedIn' ? checkSession() : end(why)));
  return module;
}

/** The prefix of the storage keys of the user pool's library. */
const POOL_KEYS = 'CognitoIdentityServiceProvider.';

/** Returns false if no session is stored and this tab isn't returning from a hosted login. */
function mayBeSignedIn(): boolean {
  return isReturn() || quietly(() => Object.keys(localStorage).some((key) => key.startsWith(POOL_KEYS))) !== false;
}

/** Checks whether someone is signed in (docs/rules.md#gate). An unreachable server doesn't sign anyone out. */
export async function checkSession(): Promise<void> {
  if (!mayBeSignedIn()) {
    end();
    // Loads while the person types; sign-in reports a failure.
    loadPool().catch(() => undefined);
    return;
  }
  try {
    const person = await (await loadAuth()).currentPerson();
    // Amplify didn't use the hosted login's answer in the address.
    if (readAnswer(location)) leaveReturn(person ? undefined : t(NOT_BEGUN_HERE));
    if (person === undefined) end();
    else useSession.setState({ stage: 'authenticated', userId: `USER_${person.sub}`, ...rightsOf(person), whyEnded: undefined });
  } catch {
    useSession.setState({ stage: 'unreachable' });
  }
}

const rightsOf = ({ isOperator, isOperatorToBe, email }: PoolUser) => ({ isOperator, isOperatorToBe, email });

/** Signs in; if the password must be reset, also sends the code for it. Throws a `SignInError` with the message to show. */
export async function signIn(credentials: Credentials): Promise<NextStep> {
  const pool = await loadPool();
  const step = await pool.signIn(credentials);
  if (step === 'done') await checkSession();
  // At the limit, a code was sent recently.
  if (step === 'reset') await pool.requestPasswordReset(credentials.email).catch(unlessLimited);
  return step;
}

function unlessLimited(error: unknown): void {
  if (!isRefused(error, 'too-many')) throw error;
}

/** Confirms the address, then signs in. Throws a `SignInError` with the message to show. */
export async function confirmAndSignIn(sent: Credentials & { code: string }): Promise<NextStep> {
  const step = await (await loadPool()).confirmAndSignIn(sent);
  if (step === 'done') await checkSession();
  return step;
}

/** Goes to the pool's hosted login. Throws a `SignInError` with the message to show. */
export async function signInElsewhere(): Promise<void> {
  const { loadHosted } = await loadAuth();
  await (await loadHosted()).leaveToSignIn();
}

/** Completes the second step of sign-in. Throws a `SignInError` with the message to show. */
export async function answerChallenge(code: string): Promise<void> {
  await (await loadPool()).answerChallenge(code);
  await checkSession();
}

export async function signOut({ allDevices = false } = {}): Promise<void> {
  // First, because hosted login leaves this page.
  emptyCache();
  void leaveBrowser();
  await (await loadAuth()).signOut({ allDevices });
  end();
}

/** Ends the session on this device and deletes the team's data from it. A later call without a reason keeps the earlier one. */
function end(why?: string): void {
  clearFeedback();
  useSession.setState({ stage: 'unauthenticated', ...SIGNED_OUT, ...(why !== undefined && { whyEnded: why }) });
}

/** Clears the reason once the person has read it. */
export const forgetWhyEnded = (): void => useSession.setState({ whyEnded: undefined });

/** Reopens the dashboard after the account is restored. */
export const goOn = (): void => useSession.setState({ isDeleted: false });

export const tokenProvider: TokenProvider = {
  token: async (fresh) => (await loadAuth()).accessToken(fresh),
  ended: (why) =>
    void signOut().then(
      () => end(why),
      () => end(why),
    ),
  deleted: () => useSession.setState({ isDeleted: true }),
};
