import { Amplify } from 'aws-amplify';
import { signIn as amplifySignIn, signOut as amplifySignOut, fetchAuthSession, getCurrentUser } from 'aws-amplify/auth';
import { ConsoleLogger, Hub } from 'aws-amplify/utils';
import { type PublicConfig, SIGN_IN_WORDS } from '#contract/identity.ts';

/* The only place that knows aws-amplify. Its errors become words that the specification gives (§8). */

/** A message for the person who signs in. */
export class SignInError extends Error {
  readonly isOffline: boolean;

  constructor(message: string, isOffline = false) {
    super(message);
    this.name = 'SignInError';
    this.isOffline = isOffline;
  }
}

export type NextStep = 'done' | 'verify' | 'reset';

export function configureAuth({ identity }: PublicConfig): void {
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const { userPoolId, userPoolClientId, userPoolEndpoint } = identity;
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId,
        // Amplify wants it absolute; the pool is wherever this page came from.
        ...(userPoolEndpoint !== undefined && { userPoolEndpoint: new URL(userPoolEndpoint, location.origin).href }),
        loginWith: { email: true },
      },
    },
  });
}

/** The signed-in person's user name, or undefined when nobody is. Throws an offline error when that cannot be known. */
export async function currentSub(): Promise<string | undefined> {
  try {
    return (await getCurrentUser()).username;
  } catch (error) {
    if (isOffline(error)) throw asSignInError(error);
    return undefined;
  }
}

export async function accessToken(fresh = false): Promise<string | undefined> {
  try {
    return (await fetchAuthSession({ forceRefresh: fresh })).tokens?.accessToken.toString();
  } catch (error) {
    if (isOffline(error)) throw asSignInError(error);
    return undefined;
  }
}

export async function signIn(email: string, password: string): Promise<NextStep> {
  try {
    const { nextStep } = await amplifySignIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
    if (nextStep.signInStep === 'CONFIRM_SIGN_UP') return 'verify';
    if (nextStep.signInStep === 'RESET_PASSWORD') return 'reset';
    return 'done';
  } catch (error) {
    if (named(error) !== 'UserAlreadyAuthenticatedException') throw asSignInError(error);
    // Tokens of an earlier visit that the server no longer takes: start clean.
    await amplifySignOut();
    return signIn(email, password);
  }
}

export async function signOut(): Promise<void> {
  await amplifySignOut();
}

/** Hears of sign-ins and sign-outs, those of other tabs too. */
export function onSessionChange(changed: (event: 'signedIn' | 'signedOut') => void): () => void {
  return Hub.listen(
    'auth',
    ({ payload }) => {
      if (payload.event === 'signedIn' || payload.event === 'signedOut') changed(payload.event);
      if (payload.event === 'tokenRefresh_failure' && !isOffline(payload.data?.error)) changed('signedOut');
    },
    { enableCrossTabEvents: true },
  );
}

const OFFLINE = 'Network Error';
/** What Amplify 6 no longer says as the specification has it (§8), by the error's name. */
const WORDS: Readonly<Record<string, string>> = {
  EmptySignInUsername: 'Username cannot be empty',
  EmptySignInPassword: 'Password cannot be empty',
  EmptyConfirmSignUpCode: 'Confirmation code cannot be empty',
  EmptyConfirmResetPasswordConfirmationCode: 'Confirmation code cannot be empty',
  UserUnAuthenticatedException: 'User is not authenticated',
};

function asSignInError(error: unknown): SignInError {
  if (isOffline(error)) return new SignInError(OFFLINE, true);
  const message = error instanceof Error ? error.message : '';
  return new SignInError(WORDS[named(error)] ?? SIGN_IN_WORDS[message] ?? (message || 'Authentication Error'));
}

/** A proxy's HTML in place of an answer surfaces as a SyntaxError: nobody was reached either. */
const isOffline = (error: unknown): boolean =>
  ['NetworkError', 'SyntaxError', 'InternalErrorException', 'TimeoutError'].includes(named(error));

const named = (error: unknown): string => (error instanceof Error ? error.name : '');
