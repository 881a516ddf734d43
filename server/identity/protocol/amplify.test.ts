import {
  fetchAuthSession,
  fetchDevices,
  fetchUserAttributes,
  forgetDevice,
  getCurrentUser,
  rememberDevice,
  signIn,
  signOut,
} from 'aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser as openBrowser, prepareAmplify } from '../../../test/support/amplify.ts';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';

/* The client that the dashboard uses, as it is, against the pool. */

let pool: TestPool;
let store: Map<string, string>;
let email: string;
let sub: string;
beforeAll(async () => {
  prepareAmplify();
  pool = await openTestPool();
});
beforeEach(async () => {
  await useBrowser(new Map());
  ({ email, sub } = await pool.add());
});
afterAll(() => pool.stop());

/** Another browser, or the same again. */
async function useBrowser(kept: Map<string, string>): Promise<void> {
  store = kept;
  await openBrowser(pool, kept);
}

const enter = (password = PASSWORD) => signIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
const keptBy = (name: string) => [...store].find(([key]) => key.endsWith(`.${name}`))?.[1];

describe('Amplify', () => {
  it('is told what is wrong, in words that the product knows', async () => {
    await expect(enter('not the password')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    await pool.stored("update identity_user set status = 'UNCONFIRMED' where sub = $1", [sub]);
    expect(await enter()).toMatchObject({ isSignedIn: false, nextStep: { signInStep: 'CONFIRM_SIGN_UP' } });
    await pool.stored("update identity_user set status = 'RESET_REQUIRED' where sub = $1", [sub]);
    expect(await enter()).toMatchObject({ isSignedIn: false, nextStep: { signInStep: 'RESET_PASSWORD' } });
    await expect(getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  it('signs in, knows who it is, and signs out', async () => {
    expect(await enter()).toEqual({ isSignedIn: true, nextStep: { signInStep: 'DONE' } });
    expect(await getCurrentUser()).toMatchObject({ username: sub, userId: sub, signInDetails: { loginId: email } });
    expect(await fetchUserAttributes()).toEqual({ sub, email, email_verified: 'true', name: 'Dana Moss' });
    const { tokens, userSub } = await fetchAuthSession();
    expect(userSub).toBe(sub);
    const access = tokens?.accessToken.toString() ?? '';
    expect(await pool.admitted(access)).toBe(`USER_${sub}`);
    await expect(enter()).rejects.toMatchObject({ name: 'UserAlreadyAuthenticatedException' });

    await signOut();
    expect(await pool.admitted(access)).toBe('not-signed-in');
    expect((await fetchAuthSession()).tokens).toBeUndefined();
    expect(keptBy('refreshToken')).toBeUndefined();
  });

  it('refreshes, and keeps the new refresh token', async () => {
    await enter();
    const before = { access: (await fetchAuthSession()).tokens?.accessToken.toString(), refresh: keptBy('refreshToken') };
    const [one, two] = await Promise.all([fetchAuthSession({ forceRefresh: true }), fetchAuthSession({ forceRefresh: true })]);
    expect(one.tokens?.accessToken.toString()).not.toBe(before.access);
    expect(two.tokens?.accessToken.toString()).toBe(one.tokens?.accessToken.toString());
    expect(keptBy('refreshToken')).not.toBe(before.refresh);
    expect(await pool.admitted(one.tokens?.accessToken.toString() ?? '')).toBe(`USER_${sub}`);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('in two tabs that refresh in the same moment stays signed in', async () => {
    await enter();
    const shared = store;
    const other = new Map(shared);
    const one = (await fetchAuthSession({ forceRefresh: true })).tokens;
    await useBrowser(other);
    const two = (await fetchAuthSession({ forceRefresh: true })).tokens;
    expect(one).toBeDefined();
    expect(two).toBeDefined();
    const refreshTokens = [shared, other].map((each) => [...each].find(([key]) => key.endsWith('.refreshToken'))?.[1]);
    expect(refreshTokens[0]).toBe(refreshTokens[1]);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('clears away what it keeps when the session was ended elsewhere', async () => {
    await enter();
    await pool.stored('update identity_session set revoked = now() where sub = $1', [sub]);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeUndefined();
    await expect(getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  it('signs out everywhere', async () => {
    await enter();
    const elsewhere = (await pool.signIn(email)).body.AuthenticationResult.AccessToken;
    expect(await pool.admitted(elsewhere)).toBe(`USER_${sub}`);
    await signOut({ global: true });
    expect(await pool.admitted(elsewhere)).toBe('not-signed-in');
  });

  it('has its browser remembered, listed and forgotten', async () => {
    const begun = pool.now();
    await enter();
    expect(keptBy('deviceKey')).toMatch(/^us-west-2_/);
    expect(await fetchDevices()).toEqual([]);
    await rememberDevice();
    const [device, ...others] = await fetchDevices();
    expect(others).toEqual([]);
    expect(device).toMatchObject({ id: keptBy('deviceKey'), name: 'Mozilla/5.0 (a test)', createDate: expect.any(Date) });
    // In seconds on the wire.
    expect(device?.createDate?.getTime()).toBeGreaterThanOrEqual(begun - 1_000);

    await signOut();
    const known = keptBy('deviceKey');
    expect((await enter()).isSignedIn).toBe(true);
    expect(keptBy('deviceKey')).toBe(known);
    expect(await fetchDevices()).toHaveLength(1);

    await forgetDevice();
    expect(await fetchDevices()).toEqual([]);
    await expect(rememberDevice()).rejects.toMatchObject({ name: 'DeviceMetadataNotFoundException' });
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('whose browser was forgotten from another one is signed out there, and starts anew with a new device', async () => {
    await enter();
    await rememberDevice();
    const lost = store;
    const lostKey = keptBy('deviceKey') ?? '';
    await useBrowser(new Map());
    await enter();
    await forgetDevice({ device: { id: lostKey } });
    await useBrowser(lost);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeUndefined();
    expect((await enter()).isSignedIn).toBe(true);
    expect(keptBy('deviceKey')).not.toBe(lostKey);
  });
});
