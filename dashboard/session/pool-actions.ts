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
  forgetDevice as forget,
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
import { t } from '../language.ts';
import { accessToken, isOwnPool, pendingKey, pool } from './auth.ts';
import { asProofError, asSignInError, nameOf, SignInError } from './errors.ts';
import { endSession, type PoolClient, passwordSignIn } from './pool-protocol.ts';
import { isTotpOn } from './totp.ts';

/* Signing in, and what people change about their sign-in. Amplify's errors get the product’s messages (docs/rules.md#wording). */

/* ── Signing in ── */

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
