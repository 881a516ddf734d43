import type { RecordedEnd } from '#contract/identity/identity.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';

/* What the pool refuses, in Cognito's names and words: clients compare both (docs/protocols.md#errors). */

interface PoolErrorDetail {
  /** Cognito says 400 to nearly everything that the caller can change. */
  readonly status?: number;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number | undefined;
}

/** An expected refusal of the pool: a name, a text, and the HTTP status that they travel with. */
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
 * Runs work in a transaction, and throws its outcome where that is a refusal. A refusal that is given back keeps what was
 * written, such as a try that has to be counted; one that is thrown undoes it.
 */
export async function commitOutcome<T>(
  { database }: { readonly database: Database },
  work: (db: Transaction) => Promise<T | PoolError>,
): Promise<T> {
  return unwrap(await database.transaction({}, work));
}

/** The outcome, unless it is a refusal. */
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
export const unfitPassword = (why: string) => new PoolError('InvalidPasswordException', `Password did not conform with policy: ${why}`);
export const addressTaken = () => new PoolError('AliasExistsException', 'An account with the given email already exists.');
export const noPendingAddress = () => invalidParameter('There is no address that waits for its code.');
export const wrongCode = () => new PoolError('CodeMismatchException', 'Invalid verification code provided, please try again.');
export const expiredCode = () => new PoolError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
/** Cognito has no such answer: there the codes of a removed user are forgotten. */
export const newerCode = () => new PoolError('ExpiredCodeException', 'A newer code was sent. Please use the one from the newest email.');
export const wrongSecondFactor = () => new PoolError('CodeMismatchException', 'Invalid code received for user');
export const wrongBackupCode = () => new PoolError('CodeMismatchException', 'Invalid backup code received for user');
export const usedSecondFactor = () => new PoolError('ExpiredCodeException', 'Your software token has already been used once.');
export const wrongSetUpCode = () => new PoolError('EnableSoftwareTokenMFAException', 'Code mismatch');
export const noSoftwareToken = () => new PoolError('SoftwareTokenMFANotFoundException', 'No software token has been set up.');
export const secondFactorAlreadyOn = () => invalidParameter('Software token MFA is on already. Turn it off to set it up anew.');
export const secondFactorUnverified = () => invalidParameter('User has not verified software token mfa');
export const noChallenge = () => notAuthorized('Invalid session for the user.');
export const expiredChallenge = () => notAuthorized('Invalid session for the user, session is expired.');
/** For what a stolen session alone must not be able to do. Cognito has no such rule, so the name is that of the product's own refusal. */
export const signInAgain = () => new PoolError('SignInAgainException', 'For your safety, enter your password again.');
/** Cognito's words; behind them why, where the page is to say so (docs/protocols.md#errors). */
export const revokedRefreshToken = (why: RecordedEnd | null) =>
  notAuthorized(`Refresh Token has been revoked${why === null ? '' : `: ${why}`}`);
export const reusedRefreshToken = () => new PoolError('RefreshTokenReuseException', 'Refresh token has been used already');
