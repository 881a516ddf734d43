import type { Refusal } from '#contract/core/errors.ts';
import { refusalOf } from '../../platform/http/problem.ts';
import { PoolError } from '../pool/errors.ts';

/* The protocol's own refusals, and how errors are sent. */

export const AMZ_JSON = 'application/x-amz-json-1.1';

export const noSuchClient = (id: string) => new PoolError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
export const unknownAction = () => new PoolError('UnknownOperationException', 'There is no such action.');
export const notARefreshToken = () => new PoolError('UnsupportedTokenTypeException', 'The token is not a refresh token.');

const internalError = () =>
  new PoolError('InternalErrorException', 'Something went wrong on our side. It has been logged.', { status: 500 });

/** Returns the error that a client of the pool receives. */
export function asPoolError(error: unknown): PoolError {
  if (error instanceof PoolError) return error;
  const refusal = refusalOf(error);
  return refusal ? translate(refusal) : internalError();
}

/** Uses names that clients handle correctly: after an internal error they retry and keep the session. */
function translate({ code, status, message, retryAfter }: Refusal): PoolError {
  switch (code) {
    case 'too-large':
      return new PoolError('RequestEntityTooLargeException', message, { status });
    case 'not-json':
      return new PoolError('UnsupportedMediaTypeException', `Please send ${AMZ_JSON}.`, { status });
    case 'overloaded':
    case 'database-away':
      return new PoolError('InternalErrorException', message, { status, retryAfter });
    default:
      return new PoolError('SerializationException', message);
  }
}
