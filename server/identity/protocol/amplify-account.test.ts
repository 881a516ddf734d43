import {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  confirmUserAttribute,
  fetchAuthSession,
  fetchDevices,
  fetchMFAPreference,
  fetchUserAttributes,
  getCurrentUser,
  rememberDevice,
  resendSignUpCode,
  resetPassword,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signIn,
  signOut,
  updateMFAPreference,
  updatePassword,
  updateUserAttributes,
  verifyTOTPSetup,
} from 'aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prepareAmplify, useBrowser } from '../../../test/support/cognito/amplify.ts';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';
import { oneTimePassword } from '../../../test/support/one-time-password.ts';

/* The dashboard's account actions, by its own client. */

const OTHER_PASSWORD = 'a battery of correct horses';
const MINUTE = 60_000;

let pool: TestPool;
let store: Map<string, string>;
beforeAll(async () => {
  prepareAmplify();
  pool = await openTestPool();
});
beforeEach(async () => {
  store = new Map();
  await useBrowser(pool, store);
});
afterAll(() => pool.stop());

const enter = (username: string, password = PASSWORD) => signIn({ username, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
const admitted = async () => pool.admitted((await fetchAuthSession()).tokens?.accessToken.toString() ?? '');

describe('a new user', () => {
  it('confirms the address and signs in', async () => {
    const { email, sub } = await pool.add(undefined, { confirmed: false });
    expect(await enter(email)).toMatchObject({ isSignedIn: false, nextStep: { signInStep: 'CONFIRM_SIGN_UP' } });
    const confirm = (confirmationCode: string) => confirmSignUp({ username: email, confirmationCode });
    const code = await pool.codeFor(email);
    await expect(confirm(otherCode(code))).rejects.toMatchObject({
      name: 'CodeMismatchException',
      message: 'Invalid verification code provided, please try again.',
    });
    expect(await confirm(code)).toMatchObject({ isSignUpComplete: true, nextStep: { signUpStep: 'DONE' } });
    expect(await enter(email)).toMatchObject({ isSignedIn: true });
    expect(await admitted()).toBe(`USER_${sub}`);
    expect(await fetchUserAttributes()).toMatchObject({ email, email_verified: 'true' });
    await signOut();
    await expect(confirm(code)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    });
  });

  it('gets a new code, which replaces the first', async () => {
    const { email } = await pool.add(undefined, { confirmed: false });
    const first = await pool.codeFor(email);
    await expect(resendSignUpCode({ username: email })).rejects.toMatchObject({ name: 'LimitExceededException' });
    pool.advance(MINUTE);
    expect(await resendSignUpCode({ username: email.toUpperCase() })).toEqual({
      destination: `${email.slice(0, 1)}***@p***`,
      deliveryMedium: 'EMAIL',
      attributeName: 'email',
    });
    const second = await pool.codeFor(email);
    if (first !== second)
      await expect(confirmSignUp({ username: email, confirmationCode: first })).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await confirmSignUp({ username: email, confirmationCode: second });
    expect((await enter(email)).isSignedIn).toBe(true);
  });
});

describe('a forgotten password', () => {
  it('is reset by mail, which notifies the owner and ends every session', async () => {
    const { email } = await pool.add();
    await enter(email);
    const before = (await fetchAuthSession()).tokens?.accessToken.toString() ?? '';
    await useBrowser(pool, new Map());
    expect(await resetPassword({ username: email })).toMatchObject({
      isPasswordReset: false,
      nextStep: { resetPasswordStep: 'CONFIRM_RESET_PASSWORD_WITH_CODE', codeDeliveryDetails: { deliveryMedium: 'EMAIL' } },
    });
    const confirmationCode = await pool.codeFor(email);
    const confirm = (newPassword: string) => confirmResetPassword({ username: email, confirmationCode, newPassword });
    await expect(confirm('password1')).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    await confirm(OTHER_PASSWORD);
    await expect(getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
    expect(await pool.admitted(before)).toBe('not-signed-in');
    await expect(enter(email)).rejects.toMatchObject({ message: 'Incorrect username or password.' });
    expect((await enter(email, OTHER_PASSWORD)).isSignedIn).toBe(true);
    expect((await pool.mailsTo(email)).map(({ name }) => name)).toEqual(['identity.reset-code', 'identity.password-changed']);
    await signOut();
    await expect(confirm(PASSWORD)).rejects.toMatchObject({
      name: 'ExpiredCodeException',
      message: 'Invalid code provided, please request a code again.',
    });
  });
});

describe('a signed-in user', () => {
  it('changes the password, which ends all other sessions', async () => {
    const { email, sub } = await pool.add();
    const otherBrowserToken = (await pool.signIn(email)).body.AuthenticationResult.AccessToken;
    await enter(email);
    await expect(updatePassword({ oldPassword: 'not the password', newPassword: OTHER_PASSWORD })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await expect(updatePassword({ oldPassword: PASSWORD, newPassword: 'qwertyuiop' })).rejects.toMatchObject({
      name: 'InvalidPasswordException',
    });
    await updatePassword({ oldPassword: PASSWORD, newPassword: OTHER_PASSWORD });
    expect(await admitted()).toBe(`USER_${sub}`);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
    expect(await pool.admitted(otherBrowserToken)).toBe('not-signed-in');
    expect((await pool.mailsTo(email)).map(({ name }) => name)).toEqual(['identity.password-changed']);
    await signOut();
    expect((await enter(email, OTHER_PASSWORD)).isSignedIn).toBe(true);
  });

  it('changes the name at once, and the address once it is confirmed', async () => {
    const { email, sub } = await pool.add();
    const next = `new-${email}`;
    await enter(email);
    expect(await updateUserAttributes({ userAttributes: { name: 'Dana Mills' } })).toMatchObject({
      name: { isUpdated: true, nextStep: { updateAttributeStep: 'DONE' } },
    });
    expect(await updateUserAttributes({ userAttributes: { email: next } })).toMatchObject({
      email: { isUpdated: false, nextStep: { updateAttributeStep: 'CONFIRM_ATTRIBUTE_WITH_CODE' } },
    });
    expect(await fetchUserAttributes()).toMatchObject({ name: 'Dana Mills', email, email_verified: 'true' });
    const first = await pool.codeFor(next);
    await sendUserAttributeVerificationCode({ userAttributeKey: 'email' });
    const confirmationCode = await pool.codeFor(next);
    await expect(
      confirmUserAttribute({ userAttributeKey: 'email', confirmationCode: otherCode(confirmationCode, first) }),
    ).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await confirmUserAttribute({ userAttributeKey: 'email', confirmationCode });
    expect(await fetchUserAttributes()).toMatchObject({ email: next, email_verified: 'true' });
    expect(await admitted()).toBe(`USER_${sub}`);
    expect((await pool.mailsTo(email)).map(({ name }) => name)).toEqual(['identity.address-changed']);
    expect(await pool.stored('select email_address from "user" where id = $1', [`USER_${sub}`])).toEqual([{ email_address: next }]);
    await signOut();
    await expect(enter(email)).rejects.toMatchObject({ message: 'Incorrect username or password.' });
    expect((await enter(next)).isSignedIn).toBe(true);
  });
});

describe('a second factor', () => {
  it('is set up, required at each sign-in, and turned off', async () => {
    const { email, sub } = await pool.add();
    await enter(email);
    await rememberDevice();
    const { sharedSecret } = await setUpTOTP();
    await expect(updateMFAPreference({ totp: 'PREFERRED' })).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(verifyTOTPSetup({ code: otherCode(oneTimePassword(sharedSecret, pool)) })).rejects.toMatchObject({
      name: 'EnableSoftwareTokenMFAException',
    });
    await verifyTOTPSetup({ code: oneTimePassword(sharedSecret, pool) });
    await updateMFAPreference({ totp: 'PREFERRED' });
    expect(await fetchMFAPreference()).toEqual({ enabled: ['TOTP'], preferred: 'TOTP' });
    await signOut();

    expect(await enter(email)).toMatchObject({ isSignedIn: false, nextStep: { signInStep: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' } });
    pool.advance(MINUTE);
    const code = oneTimePassword(sharedSecret, pool);
    await expect(confirmSignIn({ challengeResponse: otherCode(code) })).rejects.toMatchObject({
      name: 'CodeMismatchException',
      message: 'Invalid code received for user',
    });
    expect(await confirmSignIn({ challengeResponse: code })).toMatchObject({ isSignedIn: true, nextStep: { signInStep: 'DONE' } });
    expect(await admitted()).toBe(`USER_${sub}`);
    expect(await getCurrentUser()).toMatchObject({ userId: sub, signInDetails: { loginId: email } });
    // The same device as before, which the client finds by the typed address.
    expect(await fetchDevices()).toHaveLength(1);

    await updateMFAPreference({ totp: 'DISABLED' });
    expect((await fetchMFAPreference()).enabled).toBeUndefined();
    await signOut();
    expect((await enter(email)).isSignedIn).toBe(true);
    expect(await fetchDevices()).toHaveLength(1);
  });

  it('gives a new browser its device, too', async () => {
    const { email } = await pool.add();
    await enter(email);
    const { sharedSecret } = await setUpTOTP();
    await verifyTOTPSetup({ code: oneTimePassword(sharedSecret, pool) });
    await updateMFAPreference({ totp: 'PREFERRED' });
    const otherStorage = new Map<string, string>();
    await useBrowser(pool, otherStorage);
    await enter(email);
    pool.advance(MINUTE);
    await confirmSignIn({ challengeResponse: oneTimePassword(sharedSecret, pool) });
    await rememberDevice();
    expect(await fetchDevices()).toHaveLength(1);
    await signOut();
    await enter(email);
    pool.advance(MINUTE);
    await confirmSignIn({ challengeResponse: oneTimePassword(sharedSecret, pool) });
    expect(await fetchDevices()).toHaveLength(1);
  });
});

/** Returns six digits that are none of these. */
function otherCode(...codes: string[]): string {
  return ['000000', '111111', '222222'].find((each) => !codes.includes(each)) ?? '333333';
}
