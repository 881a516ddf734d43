import { Amplify, type ResourcesConfig } from 'aws-amplify';
import {
  confirmSignIn as amplifyConfirmSignIn,
  signIn as amplifySignIn,
  signOut as amplifySignOut,
  confirmResetPassword,
  confirmSignUp,
  confirmUserAttribute,
  decodeJWT,
  fetchAuthSession,
  fetchDevices,
  fetchMFAPreference,
  forgetDevice as forget,
  getCurrentUser,
  rememberDevice,
  resetPassword as requestReset,
  resendSignUpCode,
  type SignInOutput,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  updateMFAPreference,
  updatePassword,
  updateUserAttributes,
  verifyTOTPSetup,
} from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { ConsoleLogger, Hub } from 'aws-amplify/utils';
import type { PublicConfig } from '#contract/identity/identity.ts';
import { t } from '../language.ts';
import { endMessageOf } from './end-message.ts';
import { asProofError, asSignInError, isOffline, nameOf, SignInError } from './errors.ts';
import { readAnswer } from './hosted-return.ts';
import { endSession, type PoolClient, passwordSignIn } from './pool-protocol.ts';

/* Only this file and hosted.ts use aws-amplify. Its errors get the product’s messages (docs/rules.md#wording). */

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

/* ── The signed-in person ── */

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
    const isOperator = isIn('operator') && (isOwnPool() || (await isTotpOn()));
    const isOperatorToBe = !isOperator && (isIn('operator') || isIn('operator-to-be'));
    return { sub, isOperator, isOperatorToBe, email: String(tokens?.idToken?.payload['email'] ?? '') };
  } catch (error) {
    if (isOffline(error)) throw asSignInError(error);
    return undefined;
  }
}

const pool = () => Amplify.getConfig().Auth?.Cognito;
/** The product's own pool lists operators in tokens only after a second factor; Cognito always does. */
const isOwnPool = (): boolean => pool()?.userPoolEndpoint?.startsWith(`${location.origin}/`) ?? false;

/* A pending hosted login, in this tab or another: Amplify stores a flag and would wait for minutes (docs/protocols.md#hosted-login). */

const pendingKey = (): string => `CognitoIdentityServiceProvider.${pool()?.userPoolClientId}.inflightOAuth`;
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

/* ── Signing in and out ── */

/** The step after a correct password. */
export type NextStep = 'done' | 'verify' | 'reset' | 'totp';

const STEPS: Readonly<Record<string, NextStep>> = {
  DONE: 'done',
  CONFIRM_SIGN_UP: 'verify',
  RESET_PASSWORD: 'reset',
  CONFIRM_SIGN_IN_WITH_TOTP_CODE: 'totp',
};

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export async function signIn({ email, password }: Credentials): Promise<NextStep> {
  // Signing in with a password doesn't wait for a hosted login in another tab.
  localStorage.removeItem(pendingKey());
  try {
    return stepOf(await amplifySignIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } }));
  } catch (error) {
    if (nameOf(error) === 'UserNotConfirmedException') return 'verify';
    if (nameOf(error) !== 'UserAlreadyAuthenticatedException') throw asSignInError(error);
    // Discard tokens of an earlier visit.
    await amplifySignOut();
    return signIn({ email, password });
  }
}

/** Sends the authenticator app's six digits, after the password. */
export const answerChallenge = async (code: string): Promise<NextStep> =>
  translateErrors(async () => stepOf(await amplifyConfirmSignIn({ challengeResponse: code })));

function stepOf({ nextStep }: SignInOutput): NextStep {
  const step = STEPS[nextStep.signInStep];
  if (!step) throw new SignInError(t('This account uses a sign-in method that this page doesn’t support.'));
  return step;
}

/** Signs out, with `allDevices` everywhere. That takes a valid token, because Amplify ignores the pool's refusal. */
export async function signOut({ allDevices = false } = {}): Promise<void> {
  if (allDevices) await accessToken();
  await amplifySignOut({ global: allDevices });
}

/* ── Signing in again ── */

/** Returns when the password was entered in this session (UTC ms); undefined if unknown. */
export async function signedInAt(): Promise<number | undefined> {
  const seconds = (await fetchAuthSession()).tokens?.accessToken.payload['auth_time'];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/**
 * Signs in again with the password, and the code if two-step sign-in is on. Amplify refuses while someone is signed in, so
 * this calls the pool directly; the new session replaces the previous one without a gap. Returns 'code' if one is required
 * but missing.
 */
export async function signInAgain({ password, code }: { password: string; code: string }): Promise<'done' | 'code'> {
  const { tokenOrchestrator } = cognitoUserPoolsTokenProvider;
  // Renew the tokens first if needed, so that no renewal happens during the sign-in.
  await accessToken();
  const previous = await tokenOrchestrator.getTokenStore().loadTokens();
  const email = previous?.idToken?.payload['email'];
  if (!previous || typeof email !== 'string') throw new SignInError(t('User is not authenticated'));
  try {
    const deviceKey = isOwnPool() ? previous.deviceMetadata?.deviceKey : undefined;
    const result = await passwordSignIn(poolClient(), { email, password, code, deviceKey });
    if (result === 'code') return 'code';
    const [accessToken, idToken] = [decodeJWT(result.AccessToken), decodeJWT(result.IdToken)];
    const clockDrift = (accessToken.payload.iat ?? 0) * 1000 - Date.now();
    await tokenOrchestrator.setTokens({ tokens: { ...previous, accessToken, idToken, refreshToken: result.RefreshToken, clockDrift } });
    if (previous.refreshToken !== undefined) await endSession(poolClient(), previous.refreshToken);
    return 'done';
  } catch (error) {
    throw asProofError(error);
  }
}

/** Returns the pool's endpoint and this app's client id. */
function poolClient(): PoolClient {
  const { userPoolEndpoint, userPoolId = '', userPoolClientId = '' } = pool() ?? {};
  return { endpoint: userPoolEndpoint ?? `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com/`, clientId: userPoolClientId };
}

/* ── Codes ── */

/** The pool's error for a correct code when the address is already confirmed, such as by the email's link. */
const CONFIRMED_ALREADY = 'User cannot be confirmed. Current status is CONFIRMED';

/** Confirms an email. The username is a sign-up's id or the address; the code may be a link's key. */
export const confirmEmail = ({ username, code }: { username: string; code: string }): Promise<void> =>
  translateErrors(async () => {
    try {
      await confirmSignUp({ username, confirmationCode: code });
    } catch (error) {
      if (!(error instanceof Error && error.message === CONFIRMED_ALREADY)) throw error;
    }
  });

/**
 * Confirms the address of the sign-up with this password, and signs in. The password is checked before the code is used: if
 * someone else has signed up with the address since, the newest code is theirs and must not let them in.
 */
export async function confirmAndSignIn({ code, ...credentials }: Credentials & { code: string }): Promise<NextStep> {
  const step = await signIn(credentials);
  if (step !== 'verify') return step;
  await confirmEmail({ username: credentials.email, code });
  return signIn(credentials);
}
export const resendConfirmation = (username: string) => translateErrors(() => resendSignUpCode({ username }));
export const requestPasswordReset = (email: string) => translateErrors(() => requestReset({ username: email }));
export const resetPassword = ({ email, code, password }: Credentials & { code: string }) =>
  translateErrors(() => confirmResetPassword({ username: email, confirmationCode: code, newPassword: password }));

/* ── The signed-in person's own account ── */

export const changePassword = (passwords: { oldPassword: string; newPassword: string }) => translateErrors(() => updatePassword(passwords));

/** Changes the email; returns whether a code was sent to the new address. */
export const changeEmail = (email: string): Promise<boolean> =>
  translateErrors(async () => {
    const { email: changed } = await updateUserAttributes({ userAttributes: { email } });
    return changed?.nextStep.updateAttributeStep === 'CONFIRM_ATTRIBUTE_WITH_CODE';
  });

/** Sends the code to the new address again. */
export const resendEmailCode = () => translateErrors(() => sendUserAttributeVerificationCode({ userAttributeKey: 'email' }));

/** Confirms the new address and renews the tokens, which contain it. */
export const confirmNewEmail = (code: string): Promise<void> =>
  translateErrors(async () => {
    await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: code });
    await fetchAuthSession({ forceRefresh: true });
  });

export const hasTotp = (): Promise<boolean> => translateErrors(isTotpOn);

const isTotpOn = async (): Promise<boolean> => (await fetchMFAPreference()).enabled?.includes('TOTP') ?? false;

/** Returns a new secret to type, and its address for a QR code. */
export const beginTotp = (email: string): Promise<{ secret: string; uri: string }> =>
  translateErrors(async () => {
    const { sharedSecret, getSetupUri } = await setUpTOTP();
    return { secret: sharedSecret, uri: getSetupUri('Afterword', email).href };
  });

export const finishTotp = (code: string): Promise<void> =>
  translateErrors(async () => {
    await verifyTOTPSetup({ code });
    await updateMFAPreference({ totp: 'PREFERRED' });
  });

export const endTotp = (): Promise<void> => translateErrors(() => updateMFAPreference({ totp: 'DISABLED' }));

/* ── Devices ── */

export interface RememberedDevice {
  readonly id: string;
  readonly name: string;
  /** UTC ms. */
  readonly lastUsed: number | undefined;
  readonly isThis: boolean;
}

export const listDevices = (): Promise<RememberedDevice[]> =>
  translateErrors(async () => {
    const current = (await fetchAuthSession()).tokens?.accessToken.payload['device_key'];
    const devices = await fetchDevices();
    return devices.map(({ id, name, lastAuthenticatedDate }) => ({
      id,
      name: name ?? '',
      lastUsed: lastAuthenticatedDate?.getTime(),
      isThis: id === current,
    }));
  }, 'devices');

export const rememberThisDevice = (): Promise<void> => translateErrors(() => rememberDevice(), 'devices');

/** Forgets a device; for this one, also deletes its keys from the browser. */
export const forgetDevice = ({ id, isThis }: RememberedDevice): Promise<void> =>
  translateErrors(() => forget(isThis ? {} : { device: { id } }), 'devices');

async function translateErrors<T>(work: () => Promise<T>, during?: 'devices'): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asSignInError(error, during);
  }
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
