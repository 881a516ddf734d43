import { Amplify, type ResourcesConfig } from 'aws-amplify';
import { signOut as amplifySignOut, fetchAuthSession, getCurrentUser } from 'aws-amplify/auth';
import { ConsoleLogger, Hub } from 'aws-amplify/utils';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { endMessageOf } from './end-message.ts';
import { asSignInError, isOffline } from './errors.ts';
import { readAnswer } from './hosted-return.ts';

/* The session: who is signed in, their tokens, and signing out. Every page of a team loads this, so it is separate from pool-actions.ts. */

type OAuthConfig = NonNullable<NonNullable<NonNullable<ResourcesConfig['Auth']>['Cognito']['loginWith']>['oauth']>;

export function configureAuth({ identity }: PublicConfig): void {
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const { userPoolId, userPoolClientId, userPoolEndpoint, hostedDomain } = identity;
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId,
        // Amplify needs an absolute address; the product's own pool is on this page's origin.
        ...(userPoolEndpoint !== undefined && { userPoolEndpoint: new URL(userPoolEndpoint, location.origin).href }),
        loginWith: { email: true, ...(hostedDomain !== undefined && { oauth: hostedLogin(hostedDomain) }) },
      },
    },
  });
}

/** The last scope is required by the pool's own actions, such as changing the password. */
const SCOPES = ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin'];

/** Requests a code, but reads tokens if the address contains those. */
function hostedLogin(domain: string): OAuthConfig {
  const site = [`${location.origin}/`];
  return { domain, scopes: SCOPES, redirectSignIn: site, redirectSignOut: site, responseType: readAnswer(location)?.kind ?? 'code' };
}

/** Loads hosted login. Imported from here so that it shares this file's chunk. */
export const loadHosted = (): Promise<typeof import('./hosted.ts')> => import('./hosted.ts');

export interface PoolUser {
  readonly sub: string;
  /** May open the operator's area. The server decides; the page only mirrors it. */
  readonly isOperator: boolean;
  /** The settings list the person as an operator, but they haven't signed in with a second factor yet. */
  readonly isOperatorToBe: boolean;
  readonly email: string;
}

/** Returns the signed-in person, if any. Throws an offline error if the pool can't be reached. */
export async function currentPerson(): Promise<PoolUser | undefined> {
  try {
    if (isHostedPending() && !(await hostedLoginEnds())) return undefined;
    const { userId: sub } = await getCurrentUser();
    const { tokens } = await fetchAuthSession();
    const groups = tokens?.accessToken.payload['cognito:groups'];
    const isIn = (group: string): boolean => Array.isArray(groups) && groups.includes(group);
    const isOperator = isIn('operator') && (isOwnPool() || (await hasTotp()));
    const isOperatorToBe = !isOperator && (isIn('operator') || isIn('operator-to-be'));
    return { sub, isOperator, isOperatorToBe, email: String(tokens?.idToken?.payload['email'] ?? '') };
  } catch (error) {
    if (isOffline(error)) throw asSignInError(error);
    return undefined;
  }
}

export const pool = () => Amplify.getConfig().Auth?.Cognito;
/** The product's own pool lists operators in tokens only after a second factor; Cognito always does. */
export const isOwnPool = (): boolean => pool()?.userPoolEndpoint?.startsWith(`${location.origin}/`) ?? false;

/** Only needed for an operator in Cognito, so its code loads when it is called. */
const hasTotp = async (): Promise<boolean> => (await import('./totp.ts')).isTotpOn();

/* A pending hosted login, in this tab or another: Amplify stores a flag and would wait for minutes (docs/protocols.md#hosted-login). */

export const pendingKey = (): string => `CognitoIdentityServiceProvider.${pool()?.userPoolClientId}.inflightOAuth`;
const isHostedPending = (): boolean => pool()?.loginWith?.oauth !== undefined && localStorage.getItem(pendingKey()) === 'true';

/** The longest wait for a pending hosted login (ms). */
const HOSTED_TIMEOUT = 10_000;

/** Resolves to true once the hosted login ends, successful or not; to false after the timeout. */
function hostedLoginEnds(): Promise<boolean> {
  return new Promise((resolve) => {
    const unsubscribe = Hub.listen('auth', check);
    addEventListener('storage', check);
    const timer = setTimeout(() => end(false), HOSTED_TIMEOUT);

    function check(): void {
      if (!isHostedPending()) end(true);
    }
    function end(hasEnded: boolean): void {
      unsubscribe();
      removeEventListener('storage', check);
      clearTimeout(timer);
      resolve(hasEnded);
    }
  });
}

export async function accessToken(fresh = false): Promise<string | undefined> {
  try {
    return (await fetchAuthSession({ forceRefresh: fresh })).tokens?.accessToken.toString();
  } catch (error) {
    if (isOffline(error)) throw asSignInError(error);
    return undefined;
  }
}

/** Signs out, with `allDevices` everywhere. That takes a valid token, because Amplify ignores the pool's refusal. */
export async function signOut({ allDevices = false } = {}): Promise<void> {
  if (allDevices) await accessToken();
  await amplifySignOut({ global: allDevices });
}

/** Calls back on sign-ins and sign-outs, in other tabs too, with the pool's reason if it gives one. Returns a function that unsubscribes. */
export function onSessionChange(onChange: (event: 'signedIn' | 'signedOut', why?: string) => void): () => void {
  return Hub.listen(
    'auth',
    ({ payload }) => {
      if (payload.event === 'signedIn' || payload.event === 'signedOut') onChange(payload.event);
      if (payload.event === 'tokenRefresh_failure' && !isOffline(payload.data?.error))
        onChange('signedOut', endMessageOf(payload.data?.error));
    },
    { enableCrossTabEvents: true },
  );
}
