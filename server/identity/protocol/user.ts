import * as v from 'valibot';
import { noPendingAddress, noSuchDevice, notAuthorized } from '../pool/errors.ts';
import { isEnabled } from '../pool/second-factor/second-factor-store.ts';
import * as devices from '../pool/sessions/devices-store.ts';
import { changeName, confirmEmailChange, requestEmailChange, resendAddressCode } from '../pool/users/attributes.ts';
import { deliveryTo } from './account.ts';
import { signedInAction } from './action.ts';
import { attributeName, base64, confirmationCode, deviceKey, deviceName } from './validation.ts';

const SOFTWARE_TOKEN = 'SOFTWARE_TOKEN_MFA';

const attribute = v.object({ Name: attributeName, Value: v.optional(v.pipe(v.string(), v.maxLength(2_048)), '') });
const updateInput = v.object({ UserAttributes: v.pipe(v.array(attribute), v.maxLength(10)) });
const verifyInput = v.object({ AttributeName: attributeName, Code: confirmationCode });

/** Actions on the person's attributes. */
export const attributeActions = {
  GetUser: signedInAction(v.object({}), async ({ db, user: { sub, email, emailVerified, name } }) => ({
    Username: sub,
    UserAttributes: [
      { Name: 'sub', Value: sub },
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: String(emailVerified) },
      ...(name === '' ? [] : [{ Name: 'name', Value: name }]),
    ],
    ...((await isEnabled(db, sub)) && { PreferredMfaSetting: SOFTWARE_TOKEN, UserMFASettingList: [SOFTWARE_TOKEN] }),
  })),
  /** Changes the name at once, and the address once it is confirmed by mail. */
  UpdateUserAttributes: signedInAction(
    updateInput,
    async (caller, { UserAttributes }) => {
      const changes = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
      for (const name of changes.keys()) {
        if (name !== 'email' && name !== 'name') throw notAuthorized('A client attempted to write unauthorized attribute');
      }
      const [name, email] = [changes.get('name'), changes.get('email')];
      if (name !== undefined) await changeName(caller, name);
      const sentTo = email === undefined ? undefined : await requestEmailChange(caller, email);
      return { CodeDeliveryDetailsList: sentTo === undefined ? [] : [deliveryTo(sentTo)] };
    },
    { isReplayed: true },
  ),
  GetUserAttributeVerificationCode: signedInAction(
    v.object({ AttributeName: attributeName }),
    async (caller, { AttributeName }) => {
      if (AttributeName !== 'email') throw noPendingAddress();
      return { CodeDeliveryDetails: deliveryTo(await resendAddressCode(caller)) };
    },
    { isReplayed: true },
  ),
  VerifyUserAttribute: signedInAction(
    verifyInput,
    async (caller, { AttributeName, Code }) => {
      if (AttributeName !== 'email') throw noPendingAddress();
      return (await confirmEmailChange(caller, Code)) ?? {};
    },
    { isReplayed: true },
  ),
};

const confirmInput = v.object({
  DeviceKey: deviceKey,
  DeviceName: v.optional(deviceName),
  DeviceSecretVerifierConfig: v.optional(v.object({ PasswordVerifier: v.optional(base64), Salt: v.optional(base64) }), {}),
});
const statusInput = v.object({
  DeviceKey: deviceKey,
  DeviceRememberedStatus: v.optional(v.picklist(['remembered', 'not_remembered'])),
});
const limit = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(devices.MOST_DEVICES));
const listInput = v.object({ Limit: v.optional(limit, devices.MOST_DEVICES) });

/** Actions on the browsers the person signs in with. */
export const deviceActions = {
  /** Accepts only the device key from the browser's own sign-in. */
  ConfirmDevice: signedInAction(confirmInput, async ({ db, user: { sub }, claims, now }, sent) => {
    const { DeviceKey: key, DeviceName: name = null, DeviceSecretVerifierConfig: secret } = sent;
    if (key !== claims.deviceKey) throw noSuchDevice();
    const { Salt: salt = null, PasswordVerifier: verifier = null } = secret;
    await devices.confirm(db, { sub, key, name, salt, verifier, created: now, modified: now, lastSignIn: now });
    return { UserConfirmationNecessary: true };
  }),
  UpdateDeviceStatus: signedInAction(statusInput, async ({ db, user, now }, { DeviceKey: key, DeviceRememberedStatus: status }) => {
    const changes = { ...(status !== undefined && { remembered: status === 'remembered' }), modified: now };
    if (!(await devices.update(db, { sub: user.sub, key }, changes))) throw noSuchDevice();
    return {};
  }),
  ForgetDevice: signedInAction(v.object({ DeviceKey: deviceKey }), async ({ db, user: { sub }, claims, now }, { DeviceKey: key }) => {
    if (!(await devices.remove(db, { sub, key, askedBy: claims.deviceKey, now }))) throw noSuchDevice();
    return {};
  }),
  ListDevices: signedInAction(listInput, async ({ db, user }, { Limit }) => ({
    Devices: (await devices.byUser(db, user.sub, Limit)).map(deviceRecord),
  })),
  GetDevice: signedInAction(v.object({ DeviceKey: deviceKey }), async ({ db, user: { sub } }, { DeviceKey: key }) => {
    const device = await devices.byKey(db, { sub, key });
    if (!device) throw noSuchDevice();
    return { Device: deviceRecord(device) };
  }),
};

function deviceRecord({ key, name, created, modified, lastSignIn }: devices.DeviceRow) {
  return {
    DeviceKey: key,
    DeviceAttributes: [{ Name: 'device_status', Value: 'valid' }, ...(name === null ? [] : [{ Name: 'device_name', Value: name }])],
    DeviceCreateDate: seconds(created),
    DeviceLastModifiedDate: seconds(modified),
    DeviceLastAuthenticatedDate: seconds(lastSignIn),
  };
}

const seconds = (moment: Date): number => moment.getTime() / 1000;
