import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPool, type TestPool } from '../../../test/support/identity.ts';

const NO_SUCH = { __type: 'ResourceNotFoundException', message: 'Device does not exist.' };

let pool: TestPool;
let email: string;
let AccessToken: string;
let DeviceKey: string;
beforeAll(async () => {
  pool = await openTestPool();
});
beforeEach(async () => {
  ({ email } = await pool.add());
  ({ AccessToken, DeviceKey } = await signIn(email));
});
afterAll(() => pool.stop());

async function signIn(email: string, deviceKey?: string): Promise<{ AccessToken: string; DeviceKey: string }> {
  const { AccessToken: token, NewDeviceMetadata } = (await pool.signIn(email, { deviceKey })).body.AuthenticationResult;
  return { AccessToken: token, DeviceKey: NewDeviceMetadata?.DeviceKey ?? deviceKey };
}
const call = async (action: string, sent: object = {}) => (await pool.call(action, { AccessToken, ...sent })).body;
const remember = (key = DeviceKey) => call('UpdateDeviceStatus', { DeviceKey: key, DeviceRememberedStatus: 'remembered' });
const rememberedKeys = async () =>
  (await call('ListDevices', { Limit: 60 })).Devices.map((device: { DeviceKey: string }) => device.DeviceKey);

describe('a device', () => {
  it('is confirmed only with the key from its own sign-in', async () => {
    for (const key of [`us-west-2_${randomUUID()}`, (await signIn(email)).DeviceKey]) {
      expect(await call('ConfirmDevice', { DeviceKey: key })).toEqual(NO_SUCH);
    }
    expect(await call('ConfirmDevice', { DeviceKey })).toEqual({ UserConfirmationNecessary: true });
    expect(await call('ConfirmDevice', { DeviceKey })).toEqual({ UserConfirmationNecessary: true });
  });

  it('is listed once remembered, with times in seconds', async () => {
    await call('ConfirmDevice', {
      DeviceKey,
      DeviceName: 'A\0 browser\n',
      DeviceSecretVerifierConfig: { Salt: 'c2FsdA==', PasswordVerifier: 'dg==' },
    });
    expect(await rememberedKeys()).toEqual([]);
    expect(await remember()).toEqual({});
    expect(await rememberedKeys()).toEqual([DeviceKey]);
    const { Device } = await call('GetDevice', { DeviceKey });
    expect(Device).toEqual({
      DeviceKey,
      DeviceAttributes: [
        { Name: 'device_status', Value: 'valid' },
        { Name: 'device_name', Value: 'A browser' },
      ],
      DeviceCreateDate: expect.closeTo(pool.now() / 1000, -1),
      DeviceLastModifiedDate: expect.closeTo(pool.now() / 1000, -1),
      DeviceLastAuthenticatedDate: expect.closeTo(pool.now() / 1000, -1),
    });
    expect(await call('UpdateDeviceStatus', { DeviceKey, DeviceRememberedStatus: 'not_remembered' })).toEqual({});
    expect(await rememberedKeys()).toEqual([]);
  });

  it('is not found by another person', async () => {
    await call('ConfirmDevice', { DeviceKey });
    await remember();
    const [mine, token] = [DeviceKey, AccessToken];
    ({ AccessToken } = await signIn((await pool.add()).email));
    expect(await call('GetDevice', { DeviceKey: mine })).toEqual(NO_SUCH);
    expect(await remember(mine)).toEqual(NO_SUCH);
    expect(await call('ForgetDevice', { DeviceKey: mine })).toEqual(NO_SUCH);
    expect(await rememberedKeys()).toEqual([]);
    AccessToken = token;
    expect(await rememberedKeys()).toEqual([mine]);
  });

  it('keeps its key at the next sign-in, whose time is stored', async () => {
    await call('ConfirmDevice', { DeviceKey });
    await remember();
    pool.advance(3_600_000);
    const again = await pool.signIn(email, { deviceKey: DeviceKey });
    expect(again.body.AuthenticationResult).not.toHaveProperty('NewDeviceMetadata');
    ({ AccessToken } = again.body.AuthenticationResult);
    const { Device } = await call('GetDevice', { DeviceKey });
    expect(Device.DeviceLastAuthenticatedDate - Device.DeviceCreateDate).toBeGreaterThanOrEqual(3_600);
  });

  it('is one of at most sixty: the unremembered and least recently used are deleted first', async () => {
    await call('ConfirmDevice', { DeviceKey });
    await remember();
    const [first, token] = [DeviceKey, AccessToken];
    await pool.stored(
      `insert into identity_device (sub, key, created, modified, last_sign_in)
       select sub, 'us-west-2_' || n, now(), now(), now() - n * interval '1 day' from identity_user, generate_series(1, 59) n where email = $1`,
      [email],
    );
    const next = await signIn(email);
    AccessToken = next.AccessToken;
    await call('ConfirmDevice', { DeviceKey: next.DeviceKey });
    AccessToken = token;
    expect(await call('GetDevice', { DeviceKey: first })).toHaveProperty('Device');
    expect(await call('GetDevice', { DeviceKey: next.DeviceKey })).toHaveProperty('Device');
    expect(await call('GetDevice', { DeviceKey: 'us-west-2_58' })).toHaveProperty('Device');
    expect(await call('GetDevice', { DeviceKey: 'us-west-2_59' })).toEqual(NO_SUCH);
  });
});
