import type { RefusalCode } from '#contract/core/errors.ts';
import { SIGN_IN_WORDS } from '#contract/identity/identity.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { UserFacingError } from '../data/errors.ts';
import { t } from '../language.ts';
import { NOT_BEGUN_HERE } from './hosted-return.ts';

/** A failure of the user pool, with a message for the person who signs in. */
export class SignInError extends UserFacingError {
  constructor(message: string, detail: ConstructorParameters<typeof UserFacingError>[1] = {}) {
    super(message, detail);
    this.name = 'SignInError';
  }
}

const NETWORK = translatable('Network Error');
const NO_PASSWORD = translatable('Password cannot be empty');
const NO_NAME = translatable('Username cannot be empty');
const NO_CODE = translatable('Confirmation code cannot be empty');

/** The product's messages (docs/rules.md#wording) where Amplify 6 has different ones, by error name. */
const MESSAGES: Readonly<Record<string, Untranslated>> = {
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
  UserUnAuthenticatedException: translatable('User is not authenticated'),
};

/** Messages while devices are listed, remembered or forgotten. */
const DEVICE_MESSAGES: Readonly<Record<string, Untranslated>> = {
  InvalidParameterException: translatable('Device tracking has not been configured in this User Pool'),
  DeviceMetadataNotFoundException: translatable('This browser isn’t registered as a device yet. Sign out and in again to register it.'),
  UserUnAuthenticatedException: translatable('The user is not authenticated'),
};

/** Converts an error of Amplify to a `SignInError`. Keeps the service's message unless the product has its own. */
export function asSignInError(error: unknown, during: 'signing in' | 'devices' = 'signing in'): SignInError {
  if (error instanceof SignInError) return error;
  const name = nameOf(error);
  const message = error instanceof Error ? error.message : '';
  if (isOffline(error)) return new SignInError((name === SERVER_ERROR && message) || t(NETWORK), { isOffline: true });
  const replacement = (during === 'devices' ? DEVICE_MESSAGES[name] : undefined) ?? MESSAGES[name];
  const text = replacement === undefined ? (SIGN_IN_WORDS[message] ?? (message || t('Authentication Error'))) : t(replacement);
  return new SignInError(text, { code: CODES[name] });
}

/** Pool errors that the data API has too, so that pages handle one code for both. */
const CODES: Readonly<Record<string, RefusalCode | undefined>> = {
  SignInAgainException: 'sign-in-again',
  LimitExceededException: 'too-many',
};

/** The pool's message while an account's password attempts are blocked. */
export const PASSWORD_LOCK = 'Password attempts exceeded';

/** Converts an error of signing in again, and assigns it to the password or code field. */
export function asProofError(error: unknown): SignInError {
  const signInError = asSignInError(error);
  const isOfCode = ['CodeMismatchException', 'ExpiredCodeException'].includes(nameOf(error));
  const isOfPassword = signInError.message === SIGN_IN_WORDS['Incorrect username or password.'];
  if (!isOfCode && !isOfPassword) return signInError;
  const path = isOfCode ? 'code' : 'password';
  const message = isOfCode ? signInError.message : t('That isn’t your current password.');
  return new SignInError(message, { errors: [{ path, message }] });
}

/** Returns the error for when the pool's code or settings can't be loaded. */
export const poolUnreachable = (): SignInError => new SignInError(t(NETWORK), { isOffline: true });

/** Messages for a failed hosted login, by Amplify's message. Someone who canceled needs none. */
const HOSTED_MESSAGES: Readonly<Record<string, Untranslated | undefined>> = {
  'User cancelled OAuth flow.': undefined,
  '`signInWithRedirect` has been canceled.': undefined,
  invalid_grant: translatable('That sign-in has expired or was already used. Please try again.'),
  'An error occurred while validating the state.': NOT_BEGUN_HERE,
};

/** Returns the message for a failed hosted login, with the pool's reason if it gave one; undefined if none is needed. */
export function hostedFailure(error: unknown, refused: string | undefined): string | undefined {
  if (refused !== undefined) return t('Single sign-on failed: {reason}', { reason: refused.slice(0, 200) });
  const message = error instanceof Error ? error.message : '';
  const replacement = HOSTED_MESSAGES[message];
  if (message in HOSTED_MESSAGES) return replacement && t(replacement);
  // A TypeError here is the browser's failed request to the pool's domain.
  return error instanceof TypeError ? t(NETWORK) : t('Single sign-on failed: {reason}', { reason: message || t('Authentication Error') });
}

/** The pool responded with a server error. */
const SERVER_ERROR = 'InternalErrorException';
const OFFLINE_ERRORS = ['NetworkError', 'SyntaxError', SERVER_ERROR, 'TimeoutError'];

/** Returns whether the pool couldn't be reached. A proxy's HTML response surfaces as a SyntaxError (docs/protocols.md#errors). */
export const isOffline = (error: unknown): boolean => OFFLINE_ERRORS.includes(nameOf(error));

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
