import { create } from 'zustand';
import { configInDocument, emptyCache, readPublicConfig, type TokenProvider } from '../data/client.ts';
import { isRefused } from '../data/errors.ts';
import { clearFeedback } from '../data/persisted.ts';
import { quietly } from '../data/storage.ts';
import type { Credentials, NextStep, Signed } from './auth.ts';
import type { Stage } from './gate.ts';
import { isReturn, leaveReturn, NOT_BEGUN_HERE, readAnswer } from './hosted-return.ts';
import { leaveBrowser } from './push.ts';

interface SessionState {
  readonly stage: Stage;
  /** The signed-in person; undefined when nobody is signed in. */
  readonly userId: string | undefined;
  readonly isOperator: boolean;
  /** Whether the server has said that this person’s account is deleted. */
  readonly isDeleted: boolean;
  /** The person is named as an operator, and has yet to sign in with a second factor. */
  readonly isOperatorToBe: boolean;
  /** The address that the person signs in with; empty when nobody is signed in. */
  readonly email: string;
  /** Whether the pool has a page of its own to sign in on, which brings single sign-on. */
  readonly hasHostedLogin: boolean;
  /** Whether the product itself signs people in: only then are there backup codes, and a new password ends other sessions. */
  readonly isOwnPool: boolean;
  /** Why the last session ended without its person's doing, as a sentence; undefined where there is nothing to say. */
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
  // The product's own pool is a path of this site.
  useSession.setState({ hasHostedLogin, isOwnPool: config.identity.userPoolEndpoint?.startsWith('/') ?? false });
  module.onSessionChange((event, why) => void (event === 'signedIn' ? checkSession() : end(why)));
  return module;
}

/** Whatever the user pool's library keeps here begins so. */
const KEPT = 'CognitoIdentityServiceProvider.';

/** False where nobody can be signed in: nothing is kept of anybody, and nobody comes back from a hosted login. */
function mayBeSignedIn(): boolean {
  return isReturn() || quietly(() => Object.keys(localStorage).some((key) => key.startsWith(KEPT))) !== false;
}

/** Looks whether somebody is signed in (docs/rules.md#gate). Not reaching anybody is not being signed out. */
export async function checkSession(): Promise<void> {
  if (!mayBeSignedIn()) {
    end();
    // It comes while the person types; where it does not, signing in says so.
    loadPool().catch(() => undefined);
    return;
  }
  try {
    const person = await (await loadPool()).currentPerson();
    // Nobody took the answer that the page was opened with.
    if (readAnswer(location)) leaveReturn(person ? undefined : NOT_BEGUN_HERE);
    if (person === undefined) end();
    else useSession.setState({ stage: 'authenticated', userId: `USER_${person.sub}`, ...rightsOf(person), whyEnded: undefined });
  } catch {
    useSession.setState({ stage: 'unreachable' });
  }
}

const rightsOf = ({ isOperator, isOperatorToBe, email }: Signed) => ({ isOperator, isOperatorToBe, email });

/** Where the password has to be reset, the code for it is mailed at once. Throws a SignInError with the message to show. */
export async function signIn(credentials: Credentials): Promise<NextStep> {
  const pool = await loadPool();
  const step = await pool.signIn(credentials);
  if (step === 'done') await checkSession();
  // Where the limit is reached, codes were mailed just now.
  if (step === 'reset') await pool.requestPasswordReset(credentials.email).catch(unlessLimited);
  return step;
}

function unlessLimited(error: unknown): void {
  if (!isRefused(error, 'too-many')) throw error;
}

/** The same for somebody who has to confirm the address first. Throws a SignInError with the message to show. */
export async function confirmAndSignIn(sent: Credentials & { code: string }): Promise<NextStep> {
  const step = await (await loadPool()).confirmAndSignIn(sent);
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
  void leaveBrowser();
  await (await loadPool()).signOut({ allDevices });
  end();
}

/** Ends the session on this device; nothing of the team stays on it. Where its end is heard of twice, the reason stays that one of them gave. */
function end(why?: string): void {
  clearFeedback();
  useSession.setState({ stage: 'unauthenticated', ...SIGNED_OUT, ...(why !== undefined && { whyEnded: why }) });
}

/** The person has read why the session ended. */
export const forgetWhyEnded = (): void => useSession.setState({ whyEnded: undefined });

/** The account was restored. */
export const goOn = (): void => useSession.setState({ isDeleted: false });

export const tokenProvider: TokenProvider = {
  token: async (fresh) => (await loadPool()).accessToken(fresh),
  ended: (why) =>
    void signOut().then(
      () => end(why),
      () => end(why),
    ),
  deleted: () => useSession.setState({ isDeleted: true }),
};
