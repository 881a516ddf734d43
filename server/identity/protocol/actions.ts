import { getUserAttributeVerificationCode, updateUserAttributes, verifyUserAttribute } from '../pool/attributes.ts';
import { changePassword } from '../pool/change-password.ts';
import { confirmForgotPassword, forgotPassword } from '../pool/password-change.ts';
import { respondToAuthChallenge } from '../pool/respond-to-challenge.ts';
import { confirmSignUp, resendConfirmationCode } from '../pool/sign-up.ts';
import { getUser, signUpOverTheWire } from './account.ts';
import type { Action } from './action.ts';
import { confirmDevice, forgetDevice, getDevice, listDevices, updateDeviceStatus } from './devices.ts';
import { getTokensFromRefreshToken } from './refresh.ts';
import { associateSoftwareToken, setUserMfaPreference, verifySoftwareToken } from './second-factor.ts';
import { initiateAuth } from './sign-in.ts';
import { globalSignOut, revokeToken } from './sign-out.ts';

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
