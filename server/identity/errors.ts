/* What the pool refuses, in Cognito's names and words: clients compare both. */

interface PoolErrorDetail {
  /** Cognito says 400 to nearly everything that the caller can change. */
  readonly status?: number;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number | undefined;
}

/** An expected "no" of the pool: a name, a text, and the HTTP status it travels with. */
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

export const notAuthorized = (message: string) => new PoolError('NotAuthorizedException', message);
export const invalidParameter = (message: string) => new PoolError('InvalidParameterException', message);

export const wrongPassword = () => notAuthorized('Incorrect username or password.');
export const passwordAttemptsExceeded = () => notAuthorized('Password attempts exceeded');
export const tooManyAttempts = () => new PoolError('LimitExceededException', 'Attempt limit exceeded, please try after some time.');
export const tooManyRequests = () => new PoolError('TooManyRequestsException', 'Too many requests', { status: 429, retryAfter: 1 });
export const noSuchDevice = () => new PoolError('ResourceNotFoundException', 'Device does not exist.');
export const noSuchClient = (id: string) => new PoolError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
export const notConfirmed = () => new PoolError('UserNotConfirmedException', 'User is not confirmed.');
export const resetRequired = () => new PoolError('PasswordResetRequiredException', 'Password reset required for the user');
export const emailTaken = () => new PoolError('UsernameExistsException', 'An account with the given email already exists.');
export const unfitPassword = (why: string) => new PoolError('InvalidPasswordException', `Password did not conform with policy: ${why}`);
export const reusedRefreshToken = () => new PoolError('RefreshTokenReuseException', 'Refresh token has been used already');
export const unknownAction = () => new PoolError('UnknownOperationException', 'There is no such action.');
export const broken = () =>
  new PoolError('InternalErrorException', 'Something went wrong on our side. It has been noted.', { status: 500 });
