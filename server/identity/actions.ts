import type { Action } from './action.ts';
import { getUserAttributeVerificationCode, updateUserAttributes, verifyUserAttribute } from './actions/attributes.ts';
import { changePassword } from './actions/change-password.ts';
import { confirmSignUp, resendConfirmationCode } from './actions/confirm-sign-up.ts';
import { confirmDevice, forgetDevice, getDevice, listDevices, updateDeviceStatus } from './actions/devices.ts';
import { initiateAuth } from './actions/initiate-auth.ts';
import { getTokensFromRefreshToken } from './actions/refresh.ts';
import { confirmForgotPassword, forgotPassword } from './actions/reset.ts';
import { respondToAuthChallenge } from './actions/respond-to-challenge.ts';
import { associateSoftwareToken, setUserMfaPreference, verifySoftwareToken } from './actions/second-factor.ts';
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
    RespondToAuthChallenge: respondToAuthChallenge,
    SignUp: signUpOverTheWire,
    ConfirmSignUp: confirmSignUp,
    ResendConfirmationCode: resendConfirmationCode,
    ForgotPassword: forgotPassword,
    ConfirmForgotPassword: confirmForgotPassword,
    ChangePassword: changePassword,
    UpdateUserAttributes: updateUserAttributes,
    GetUserAttributeVerificationCode: getUserAttributeVerificationCode,
    VerifyUserAttribute: verifyUserAttribute,
    AssociateSoftwareToken: associateSoftwareToken,
    VerifySoftwareToken: verifySoftwareToken,
    SetUserMFAPreference: setUserMfaPreference,
    ConfirmDevice: confirmDevice,
    UpdateDeviceStatus: updateDeviceStatus,
    ForgetDevice: forgetDevice,
    ListDevices: listDevices,
    GetDevice: getDevice,
  }),
);
