import { SIGN_IN_WORDS } from '#contract/identity.ts';
import { UserFacingError } from '../data/errors.ts';

/** A failure of the user pool, with a message for the person who signs in. */
export class SignInError extends UserFacingError {
  constructor(message: string, isOffline = false) {
    super(message, { isOffline });
    this.name = 'SignInError';
  }
}

const NETWORK = 'Network Error';
const NO_PASSWORD = 'Password cannot be empty';
const NO_NAME = 'Username cannot be empty';
const NO_CODE = 'Confirmation code cannot be empty';

/** Messages of the product (docs/rules.md#wording) that Amplify 6 words differently, by the error's name. */
const MESSAGES: Readonly<Record<string, string>> = {
  EmptySignInUsername: NO_NAME,
  EmptySignInPassword: NO_PASSWORD,
  EmptyConfirmSignUpUsername: NO_NAME,
  EmptyConfirmSignUpCode: NO_CODE,
  EmptyResendSignUpCodeUsername: NO_NAME,
  EmptyResetPasswordUsername: NO_NAME,
  EmptyConfirmResetPasswordUsername: NO_NAME,
  EmptyConfirmResetPasswordConfirmationCode: NO_CODE,
  EmptyConfirmResetPasswordNewPassword: NO_PASSWORD,
  EmptyConfirmUserAttributeCode: NO_CODE,
  EmptyUpdatePassword: NO_PASSWORD,
  EmptyChallengeResponse: NO_CODE,
  EmptyVerifyTOTPSetupCode: NO_CODE,
  UserUnAuthenticatedException: 'User is not authenticated',
};

/** Messages while devices are listed, remembered or forgotten. */
const DEVICE_MESSAGES: Readonly<Record<string, string>> = {
  InvalidParameterException: 'Device tracking has not been configured in this User Pool',
  DeviceMetadataNotFoundException: 'This browser is not known as a device yet. Sign out and in again to change that.',
  UserUnAuthenticatedException: 'The user is not authenticated',
};

/** The message for an error of Amplify's. The service's own passes through but where ours differs. */
export function asSignInError(error: unknown, during: 'signing in' | 'devices' = 'signing in'): SignInError {
  if (error instanceof SignInError) return error;
  if (isOffline(error)) return new SignInError(NETWORK, true);
  const name = nameOf(error);
  const message = error instanceof Error ? error.message : '';
  const ofDevices = during === 'devices' ? DEVICE_MESSAGES[name] : undefined;
  return new SignInError(ofDevices ?? MESSAGES[name] ?? SIGN_IN_WORDS[message] ?? (message || 'Authentication Error'));
}

const AWAY = ['NetworkError', 'SyntaxError', 'InternalErrorException', 'TimeoutError'];

/** A proxy's HTML in place of an answer surfaces as a SyntaxError (docs/protocols.md#errors): nobody was reached either. */
export const isOffline = (error: unknown): boolean => AWAY.includes(nameOf(error));

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
