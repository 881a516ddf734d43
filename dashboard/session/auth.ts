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
import { endOf } from './ends.ts';
import { asProofError, asSignInError, isOffline, nameOf, SignInError } from './errors.ts';
import { readAnswer } from './hosted-return.ts';
import { endSession, type PoolWire, passwordSignIn } from './wire.ts';

/* With hosted.ts the only place that knows aws-amplify. Its errors get the product’s messages (docs/rules.md#wording). */

type OAuthConfig = NonNullable<NonNullable<NonNullable<ResourcesConfig['Auth']>['Cognito']['loginWith']>['oauth']>;

export function configureAuth({ identity }: PublicConfig): void {
  ConsoleLogger.LOG_LEVEL = 'ERROR';
  const { userPoolId, userPoolClientId, userPoolEndpoint, hostedDomain } = identity;
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId,
        userPoolClientId,
        // Amplify wants it absolute; the product's own pool is wherever this page came from.
        ...(userPoolEndpoint !== undefined && { userPoolEndpoint: new URL(userPoolEndpoint, location.origin).href }),
        loginWith: { email: true, ...(hostedDomain !== undefined && { oauth: hostedLogin(hostedDomain) }) },
      },
    },
  });
}

/** The last scope is what the pool's own actions ask for, such as changing the password. */
const SCOPES = ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin'];

/** Asks for a code. Where tokens came back in its place, those are read. */
function hostedLogin(domain: string): OAuthConfig {
  const site = [`${location.origin}/`];
  return { domain, scopes: SCOPES, redirectSignIn: site, redirectSignOut: site, responseType: readAnswer(location)?.kind ?? 'code' };
}

/** Loaded from here, so that it shares this file's chunk and divides it for nobody. */
export const loadHosted = (): Promise<typeof import('./hosted.ts')> => import('./hosted.ts');

/* ── Who is signed in ── */

export interface Signed {
  readonly sub: string;
  /** May open the operator's area. The server decides; the page only mirrors it. */
  readonly isOperator: boolean;
  /** Is named for it, and has yet to sign in with a second factor. */
  readonly isOperatorToBe: boolean;
  readonly email: string;
}

/** Who is signed in, or undefined when nobody is. Throws an offline error when that cannot be known. */
export async function currentPerson(): Promise<Signed | undefined> {
  try {
    if (isLeaving() && !(await comesBackInTime())) return undefined;
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
/** Its tokens name operators only after a second factor; Cognito's name them always. */
const isOwnPool = (): boolean => pool()?.userPoolEndpoint?.startsWith(`${location.origin}/`) ?? false;

/* A hosted login that is under way, from this tab or another: Amplify leaves a mark, and itself would wait for minutes (docs/protocols.md#hosted-login). */

const mark = (): string => `CognitoIdentityServiceProvider.${pool()?.userPoolClientId}.inflightOAuth`;
const isLeaving = (): boolean => pool()?.loginWith?.oauth !== undefined && localStorage.getItem(mark()) === 'true';

/** How long it is waited for before anything else is shown (ms). */
const COMES_BACK_WITHIN = 10_000;

/** True as soon as it has come to an end, whichever; false when that takes too long. */
function comesBackInTime(): Promise<boolean> {
  return new Promise((resolve) => {
    const ignoreHere = Hub.listen('auth', look);
    addEventListener('storage', look);
    const timer = setTimeout(() => end(false), COMES_BACK_WITHIN);

    function look(): void {
      if (!isLeaving()) end(true);
    }
    function end(isBack: boolean): void {
      ignoreHere();
      removeEventListener('storage', look);
      clearTimeout(timer);
      resolve(isBack);
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

/** The step that follows a right password. */
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
  // Whoever types a password here waits for no other tab.
  localStorage.removeItem(mark());
  try {
    return stepOf(await amplifySignIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } }));
  } catch (error) {
    if (nameOf(error) === 'UserNotConfirmedException') return 'verify';
    if (nameOf(error) !== 'UserAlreadyAuthenticatedException') throw asSignInError(error);
    // Tokens of an earlier visit, of this person or another: start clean.
    await amplifySignOut();
    return signIn({ email, password });
  }
}

/** Answers with the six digits of the authenticator app, which are asked for after the password. */
export const answerChallenge = async (code: string): Promise<NextStep> =>
  translateErrors(async () => stepOf(await amplifyConfirmSignIn({ challengeResponse: code })));

function stepOf({ nextStep }: SignInOutput): NextStep {
  const step = STEPS[nextStep.signInStep];
  if (!step) throw new SignInError('This account uses a sign-in method that this page doesn’t support.');
  return step;
}

/** `allDevices` ends the sessions of all devices, which takes a token that is still good: the pool's refusal would go unnoticed. */
export async function signOut({ allDevices = false } = {}): Promise<void> {
  if (allDevices) await accessToken();
  await amplifySignOut({ global: allDevices });
}

/* ── The password once more ── */

/** When the password was given in this session (UTC ms); undefined where nobody knows. */
export async function signedInAt(): Promise<number | undefined> {
  const seconds = (await fetchAuthSession()).tokens?.accessToken.payload['auth_time'];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/**
 * Gives the password once more, with the code where two-step sign-in is on. Amplify signs nobody in who is signed in, so
 * the pool is asked by its protocol; the new session takes the place of the one before, which is never missing in
 * between. Gives 'code' where one is asked for and none was given.
 */
export async function signInAgain({ password, code }: { password: string; code: string }): Promise<'done' | 'code'> {
  const { tokenOrchestrator } = cognitoUserPoolsTokenProvider;
  // Renews them first, if need be: nobody else does that meanwhile.
  await accessToken();
  const before = await tokenOrchestrator.getTokenStore().loadTokens();
  const email = before?.idToken?.payload['email'];
  if (!before || typeof email !== 'string') throw new SignInError('User is not authenticated');
  try {
    const deviceKey = isOwnPool() ? before.deviceMetadata?.deviceKey : undefined;
    const result = await passwordSignIn(wire(), { email, password, code, deviceKey });
    if (result === 'code') return 'code';
    const [accessToken, idToken] = [decodeJWT(result.AccessToken), decodeJWT(result.IdToken)];
    const clockDrift = (accessToken.payload.iat ?? 0) * 1000 - Date.now();
    await tokenOrchestrator.setTokens({ tokens: { ...before, accessToken, idToken, refreshToken: result.RefreshToken, clockDrift } });
    if (before.refreshToken !== undefined) await endSession(wire(), before.refreshToken);
    return 'done';
  } catch (error) {
    throw asProofError(error);
  }
}

/** Where the pool's protocol is spoken, and as whom. */
function wire(): PoolWire {
  const { userPoolEndpoint, userPoolId = '', userPoolClientId = '' } = pool() ?? {};
  return { endpoint: userPoolEndpoint ?? `https://cognito-idp.${userPoolId.split('_')[0]}.amazonaws.com/`, clientId: userPoolClientId };
}

/* ── Codes ── */

/** What the pool says to the right code of an address that was confirmed meanwhile, such as by the mail's link. */
const CONFIRMED_ALREADY = 'User cannot be confirmed. Current status is CONFIRMED';

/** The user name is the id that a sign-up was answered with, or an address; the code may be a link's key. */
export const confirmEmail = ({ username, code }: { username: string; code: string }): Promise<void> =>
  translateErrors(async () => {
    try {
      await confirmSignUp({ username, confirmationCode: code });
    } catch (error) {
      if (!(error instanceof Error && error.message === CONFIRMED_ALREADY)) throw error;
    }
  });

/**
 * Confirms the address of the sign-up that this password is of, and signs in. The password is tried before the code is given:
 * where somebody else signed up with the address since, the newest code is theirs, and must not let them in.
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

/** True when a code was mailed to the new address. */
export const changeEmail = (email: string): Promise<boolean> =>
  translateErrors(async () => {
    const { email: changed } = await updateUserAttributes({ userAttributes: { email } });
    return changed?.nextStep.updateAttributeStep === 'CONFIRM_ATTRIBUTE_WITH_CODE';
  });

/** Mails the code to the address that waits for it, once more. */
export const resendEmailCode = () => translateErrors(() => sendUserAttributeVerificationCode({ userAttributeKey: 'email' }));

/** The new address counts from here on; the tokens learn of it. */
export const confirmNewEmail = (code: string): Promise<void> =>
  translateErrors(async () => {
    await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: code });
    await fetchAuthSession({ forceRefresh: true });
  });

export const hasTotp = (): Promise<boolean> => translateErrors(isTotpOn);

const isTotpOn = async (): Promise<boolean> => (await fetchMFAPreference()).enabled?.includes('TOTP') ?? false;

/** The secret to type, and the address that a QR code carries. */
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
    const own = (await fetchAuthSession()).tokens?.accessToken.payload['device_key'];
    const devices = await fetchDevices();
    return devices.map(({ id, name, lastAuthenticatedDate }) => ({
      id,
      name: name ?? '',
      lastUsed: lastAuthenticatedDate?.getTime(),
      isThis: id === own,
    }));
  }, 'devices');

export const rememberThisDevice = (): Promise<void> => translateErrors(() => rememberDevice(), 'devices');

/** Forgetting this device takes its keys out of this browser too. */
export const forgetDevice = ({ id, isThis }: RememberedDevice): Promise<void> =>
  translateErrors(() => forget(isThis ? {} : { device: { id } }), 'devices');

async function translateErrors<T>(work: () => Promise<T>, during?: 'devices'): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asSignInError(error, during);
  }
}

/** Calls back on sign-ins and sign-outs, those of other tabs too, with why where the pool says so; gives what unsubscribes. */
export function onSessionChange(changed: (event: 'signedIn' | 'signedOut', why?: string) => void): () => void {
  return Hub.listen(
    'auth',
    ({ payload }) => {
      if (payload.event === 'signedIn' || payload.event === 'signedOut') changed(payload.event);
      if (payload.event === 'tokenRefresh_failure' && !isOffline(payload.data?.error)) changed('signedOut', endOf(payload.data?.error));
    },
    { enableCrossTabEvents: true },
  );
}
