import type { Action } from './action.ts';
import { confirmDevice, forgetDevice, getDevice, listDevices, updateDeviceStatus } from './actions/devices.ts';
import { initiateAuth } from './actions/initiate-auth.ts';
import { getTokensFromRefreshToken } from './actions/refresh.ts';
import { globalSignOut, revokeToken } from './actions/sign-out.ts';
import { getUser, signUpOverTheWire } from './actions/user.ts';

/** Every word of the protocol that the pool understands. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({
    InitiateAuth: initiateAuth,
    GetTokensFromRefreshToken: getTokensFromRefreshToken,
    RevokeToken: revokeToken,
    GlobalSignOut: globalSignOut,
    GetUser: getUser,
    SignUp: signUpOverTheWire,
    ConfirmDevice: confirmDevice,
    UpdateDeviceStatus: updateDeviceStatus,
    ForgetDevice: forgetDevice,
    ListDevices: listDevices,
    GetDevice: getDevice,
  }),
);
