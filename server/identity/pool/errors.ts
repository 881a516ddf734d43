import type { RecordedEnd } from '#contract/identity/identity.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';

/* The pool's refusals, with Cognito's names and messages, because clients compare both (docs/protocols.md#errors). */

interface PoolErrorDetail {
  /** 400 unless given, as in Cognito. */
  readonly status?: number;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** An expected refusal of the pool, with a name, a message and the HTTP status. */
export class PoolError extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(name: string, message: string, { status = 400, retryAfter }: PoolErrorDetail = {}) {
    super(message);
    this.name = name;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Runs work in a transaction and throws its outcome if that is a refusal. If work returns a refusal, its writes are committed,
 * such as the count of a guess; if work throws one, they are rolled back.
 */
export async function commitOutcome<T>(
  { database }: { readonly database: Database },
  work: (db: Transaction) => Promise<T | PoolError>,
): Promise<T> {
  return unwrap(await database.transaction({}, work));
}

/** Returns the outcome; throws it if it is a refusal. */
export function unwrap<T>(outcome: T | PoolError): T {
  if (outcome instanceof PoolError) throw outcome;
  return outcome;
}

export const notAuthorized = (message: string) => new PoolError('NotAuthorizedException', message);
export const invalidParameter = (message: string) => new PoolError('InvalidParameterException', message);

export const wrongPassword = () => notAuthorized('Incorrect username or password.');
export const passwordAttemptsExceeded = () => notAuthorized('Password attempts exceeded');
export const tooManyAttempts = () => new PoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.');
export const tooManyRequests = () => new PoolError('TooManyRequestsException', 'Too many requests', { status: 429, retryAfter: 1 });
export const noSuchDevice = () => new PoolError('ResourceNotFoundException', 'Device does not exist.');
export const userDisabled = () => notAuthorized('User is disabled.');
export const notConfirmed = () => new PoolError('UserNotConfirmedException', 'User is not confirmed.');
export const alreadyConfirmed = () => notAuthorized('User cannot be confirmed. Current status is CONFIRMED');
export const resetRequired = () => new PoolError('PasswordResetRequiredException', 'Password reset required for the user');
export const weakPassword = (reason: string) =>
  new PoolError('InvalidPasswordException', `Password did not conform with policy: ${reason}`);
export const addressTaken = () => new PoolError('AliasExistsException', 'An account with the given email already exists.');
export const noPendingAddress = () => invalidParameter('No email address is waiting to be confirmed.');
export const wrongCode = () => new PoolError('CodeMismatchException', 'Invalid verification code provided, please try again.');
export const expiredCode = () => new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
/** Cognito has no such answer, because it deletes the codes of a deleted user. */
export const newerCode = () => new PoolError('ExpiredCodeException', 'A newer code was sent. Please use the one from the newest email.');
export const wrongSecondFactor = () => new PoolError('CodeMismatchException', 'Invalid code received for user');
export const wrongBackupCode = () => new PoolError('CodeMismatchException', 'Invalid backup code received for user');
export const usedSecondFactor = () => new PoolError('ExpiredCodeException', 'Your software token has already been used once.');
export const wrongSetUpCode = () => new PoolError('EnableSoftwareTokenMFAException', 'Code mismatch');
export const noSoftwareToken = () => new PoolError('SoftwareTokenMFANotFoundException', 'No software token has been set up.');
export const secondFactorAlreadyOn = () => invalidParameter('Software token MFA is already on. Turn it off to set it up again.');
export const secondFactorUnverified = () => invalidParameter('User has not verified software token mfa');
export const noChallenge = () => notAuthorized('Invalid session for the user.');
export const expiredChallenge = () => notAuthorized('Invalid session for the user, session is expired.');
/** Protects actions that a stolen session must not allow. Cognito has no such rule, so this uses the name of the product's own refusal. */
export const signInAgain = () => new PoolError('SignInAgainException', 'For your safety, enter your password again.');
/** Cognito's message, followed by the reason if the page shows it (docs/protocols.md#errors). */
export const revokedRefreshToken = (reason: RecordedEnd | null) =>
  notAuthorized(`Refresh Token has been revoked${reason === null ? '' : `: ${reason}`}`);
export const reusedRefreshToken = () => new PoolError('RefreshTokenReuseException', 'Refresh token has been used already');
