import type { RefusalCode } from '#contract/core/errors.ts';
import { SIGN_IN_WORDS } from '#contract/identity/identity.ts';
import { UserFacingError } from '../data/errors.ts';
import { NOT_BEGUN_HERE } from './hosted-return.ts';

/** A failure of the user pool, with a message for the person who signs in. */
export class SignInError extends UserFacingError {
  constructor(message: string, detail: ConstructorParameters<typeof UserFacingError>[1] = {}) {
    super(message, detail);
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
  DeviceMetadataNotFoundException: 'This browser isn’t registered as a device yet. Sign out and in again to register it.',
  UserUnAuthenticatedException: 'The user is not authenticated',
};

/** The message for an error of Amplify's. The service's own passes through but where ours differs. */
export function asSignInError(error: unknown, during: 'signing in' | 'devices' = 'signing in'): SignInError {
  if (error instanceof SignInError) return error;
  const name = nameOf(error);
  const message = error instanceof Error ? error.message : '';
  if (isOffline(error)) return new SignInError((name === SERVER_ERROR && message) || NETWORK, { isOffline: true });
  const ofDevices = during === 'devices' ? DEVICE_MESSAGES[name] : undefined;
  const words = ofDevices ?? MESSAGES[name] ?? SIGN_IN_WORDS[message] ?? (message || 'Authentication Error');
  return new SignInError(words, { code: CODES[name] });
}

/** What the pool refuses as the data API does: a page reacts to the code, wherever it comes from. */
const CODES: Readonly<Record<string, RefusalCode | undefined>> = {
  SignInAgainException: 'sign-in-again',
  LimitExceededException: 'too-many',
};

/** What the pool says while passwords for an account are not tried. */
export const PASSWORD_LOCK = 'Password attempts exceeded';

/** The same for a password that is given once more, with its code: each problem stands beside its field. */
export function asProofError(error: unknown): SignInError {
  const known = asSignInError(error);
  const isOfCode = ['CodeMismatchException', 'ExpiredCodeException'].includes(nameOf(error));
  const isOfPassword = known.message === SIGN_IN_WORDS['Incorrect username or password.'];
  if (!isOfCode && !isOfPassword) return known;
  const path = isOfCode ? 'code' : 'password';
  const message = isOfCode ? known.message : 'That isn’t your current password.';
  return new SignInError(message, { errors: [{ path, message }] });
}

/** The pool's part of the page, or where it is, could not be loaded. */
export const poolUnreachable = (): SignInError => new SignInError(NETWORK, { isOffline: true });

/** What hosted login is said to have failed by, by Amplify's message. Whoever came back without an answer knows why. */
const HOSTED_MESSAGES: Readonly<Record<string, string | undefined>> = {
  'User cancelled OAuth flow.': undefined,
  '`signInWithRedirect` has been canceled.': undefined,
  invalid_grant: 'That sign-in has expired or was already used. Please try again.',
  'An error occurred while validating the state.': NOT_BEGUN_HERE,
};

/** The message for a hosted login that did not work: the pool's reason where it gave one. Undefined when there is nothing to say. */
export function hostedFailure(error: unknown, refused: string | undefined): string | undefined {
  if (refused !== undefined) return `Single sign-on failed: ${refused.slice(0, 200)}`;
  const message = error instanceof Error ? error.message : '';
  if (message in HOSTED_MESSAGES) return HOSTED_MESSAGES[message];
  // The pool's own page was left, and its domain is asked by the browser alone.
  return error instanceof TypeError ? NETWORK : `Single sign-on failed: ${message || 'Authentication Error'}`;
}

/** The pool answered, and failed. */
const SERVER_ERROR = 'InternalErrorException';
const AWAY = ['NetworkError', 'SyntaxError', SERVER_ERROR, 'TimeoutError'];

/** A proxy's HTML in place of an answer surfaces as a SyntaxError (docs/protocols.md#errors): nobody was reached either. */
export const isOffline = (error: unknown): boolean => AWAY.includes(nameOf(error));

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
