import * as v from 'valibot';
import type { DeviceRow } from '../pool/devices-store.ts';
import * as store from '../pool/devices-store.ts';
import { noSuchDevice } from '../pool/errors.ts';
import { revokeAll } from '../pool/sessions-store.ts';
import { signedInAction } from './action.ts';
import { base64, deviceKey, deviceName } from './validation.ts';

const MOST_DEVICES = 60;

const confirmInput = v.object({
  DeviceKey: deviceKey,
  DeviceName: v.optional(deviceName),
  DeviceSecretVerifierConfig: v.optional(v.object({ PasswordVerifier: v.optional(base64), Salt: v.optional(base64) }), {}),
});

/** A browser takes the key that its sign-in gave it, and only that. */
export const confirmDevice = signedInAction(confirmInput, async ({ db, user: { sub }, claims, now }, sent) => {
  const { DeviceKey: key, DeviceName: name = null, DeviceSecretVerifierConfig: secret } = sent;
  if (key !== claims.deviceKey) throw noSuchDevice();
  const { Salt: salt = null, PasswordVerifier: verifier = null } = secret;
  await store.confirm(db, { sub, key, name, salt, verifier, created: now, modified: now, lastSignIn: now });
  await store.removeBeyond(db, sub, MOST_DEVICES);
  return { UserConfirmationNecessary: true };
});

const statusInput = v.object({
  DeviceKey: deviceKey,
  DeviceRememberedStatus: v.optional(v.picklist(['remembered', 'not_remembered'])),
});

export const updateDeviceStatus = signedInAction(
  statusInput,
  async ({ db, user, now }, { DeviceKey: key, DeviceRememberedStatus: status }) => {
    const changes = { ...(status !== undefined && { remembered: status === 'remembered' }), modified: now };
    if (!(await store.update(db, { sub: user.sub, key }, changes))) throw noSuchDevice();
    return {};
  },
);

/** Another device that is forgotten is signed out too; one's own stays signed in. */
export const forgetDevice = signedInAction(
  v.object({ DeviceKey: deviceKey }),
  async ({ db, user: { sub }, claims, now }, { DeviceKey: key }) => {
    if (!(await store.remove(db, { sub, key }))) throw noSuchDevice();
    if (key !== claims.deviceKey) await revokeAll(db, { sub, deviceKey: key, revoked: now });
    return {};
  },
);

const listInput = v.object({ Limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_DEVICES)), MOST_DEVICES) });

export const listDevices = signedInAction(listInput, async ({ db, user }, { Limit }) => {
  const devices = await store.remembered(db, user.sub, Limit);
  return { Devices: devices.map(record) };
});

export const getDevice = signedInAction(v.object({ DeviceKey: deviceKey }), async ({ db, user: { sub } }, { DeviceKey: key }) => {
  const device = await store.byKey(db, { sub, key });
  if (!device) throw noSuchDevice();
  return { Device: record(device) };
});

function record({ key, name, created, modified, lastSignIn }: DeviceRow) {
  return {
    DeviceKey: key,
    DeviceAttributes: [{ Name: 'device_status', Value: 'valid' }, ...(name === null ? [] : [{ Name: 'device_name', Value: name }])],
    DeviceCreateDate: seconds(created),
    DeviceLastModifiedDate: seconds(modified),
    DeviceLastAuthenticatedDate: seconds(lastSignIn),
  };
}

const seconds = (moment: Date): number => moment.getTime() / 1000;
