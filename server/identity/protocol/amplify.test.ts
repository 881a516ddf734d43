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
import { useBrowser as openBrowser, prepareAmplify } from '../../../test/support/cognito/amplify.ts';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';

/* Runs the dashboard's own client, unchanged, against the pool. */

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

/** Switches to the browser with this storage. */
async function useBrowser(storage: Map<string, string>): Promise<void> {
  store = storage;
  await openBrowser(pool, storage);
}

const enter = (password = PASSWORD) => signIn({ username: email, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } });
const stored = (name: string) => [...store].find(([key]) => key.endsWith(`.${name}`))?.[1];

describe('Amplify', () => {
  it('gets sign-in errors with the names and messages the dashboard expects', async () => {
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

  it('signs in, reads the user, and signs out', async () => {
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
    expect(stored('refreshToken')).toBeUndefined();
  });

  it('refreshes and stores the new refresh token', async () => {
    await enter();
    const before = { access: (await fetchAuthSession()).tokens?.accessToken.toString(), refresh: stored('refreshToken') };
    const [first, second] = await Promise.all([fetchAuthSession({ forceRefresh: true }), fetchAuthSession({ forceRefresh: true })]);
    expect(first.tokens?.accessToken.toString()).not.toBe(before.access);
    expect(second.tokens?.accessToken.toString()).toBe(first.tokens?.accessToken.toString());
    expect(stored('refreshToken')).not.toBe(before.refresh);
    expect(await pool.admitted(first.tokens?.accessToken.toString() ?? '')).toBe(`USER_${sub}`);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('stays signed in when two tabs refresh at once', async () => {
    await enter();
    const shared = store;
    const copy = new Map(shared);
    const first = (await fetchAuthSession({ forceRefresh: true })).tokens;
    await useBrowser(copy);
    const second = (await fetchAuthSession({ forceRefresh: true })).tokens;
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    const refreshTokens = [shared, copy].map((each) => [...each].find(([key]) => key.endsWith('.refreshToken'))?.[1]);
    expect(refreshTokens[0]).toBe(refreshTokens[1]);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('clears its storage when the session was ended elsewhere', async () => {
    await enter();
    await pool.stored('update identity_session set revoked = now() where sub = $1', [sub]);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeUndefined();
    await expect(getCurrentUser()).rejects.toMatchObject({ name: 'UserUnAuthenticatedException' });
  });

  it('signs out everywhere', async () => {
    await enter();
    const otherBrowserToken = (await pool.signIn(email)).body.AuthenticationResult.AccessToken;
    expect(await pool.admitted(otherBrowserToken)).toBe(`USER_${sub}`);
    await signOut({ global: true });
    expect(await pool.admitted(otherBrowserToken)).toBe('not-signed-in');
  });

  it('remembers, lists and forgets its browser', async () => {
    const start = pool.now();
    await enter();
    expect(stored('deviceKey')).toMatch(/^us-west-2_/);
    expect(await fetchDevices()).toEqual([]);
    await rememberDevice();
    const [device, ...others] = await fetchDevices();
    expect(others).toEqual([]);
    expect(device).toMatchObject({ id: stored('deviceKey'), name: 'Mozilla/5.0 (a test)', createDate: expect.any(Date) });
    // In seconds on the wire.
    expect(device?.createDate?.getTime()).toBeGreaterThanOrEqual(start - 1_000);

    await signOut();
    const deviceKey = stored('deviceKey');
    expect((await enter()).isSignedIn).toBe(true);
    expect(stored('deviceKey')).toBe(deviceKey);
    expect(await fetchDevices()).toHaveLength(1);

    await forgetDevice();
    expect(await fetchDevices()).toEqual([]);
    await expect(rememberDevice()).rejects.toMatchObject({ name: 'DeviceMetadataNotFoundException' });
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeDefined();
  });

  it('is signed out of a browser forgotten from another one, and gets a new device there', async () => {
    await enter();
    await rememberDevice();
    const forgotten = store;
    const forgottenKey = stored('deviceKey') ?? '';
    await useBrowser(new Map());
    await enter();
    await forgetDevice({ device: { id: forgottenKey } });
    await useBrowser(forgotten);
    expect((await fetchAuthSession({ forceRefresh: true })).tokens).toBeUndefined();
    expect((await enter()).isSignedIn).toBe(true);
    expect(stored('deviceKey')).not.toBe(forgottenKey);
  });
});
