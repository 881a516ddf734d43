import type { Refusal } from '#contract/core/errors.ts';
import { refusalOf } from '../../platform/http/problem.ts';
import { PoolError } from '../pool/errors.ts';

/* What the protocol refuses by itself, and the form in which errors travel. */

export const AMZ_JSON = 'application/x-amz-json-1.1';

export const noSuchClient = (id: string) => new PoolError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
export const unknownAction = () => new PoolError('UnknownOperationException', 'There is no such action.');
export const notARefreshToken = () => new PoolError('UnsupportedTokenTypeException', 'The token is not a refresh token.');

const broken = () => new PoolError('InternalErrorException', 'Something went wrong on our side. It has been logged.', { status: 500 });

/** What an error means to a client of the pool. */
export function asPoolError(error: unknown): PoolError {
  if (error instanceof PoolError) return error;
  const refusal = refusalOf(error);
  return refusal ? translated(refusal) : broken();
}

/** Names that clients take for what they are: after an internal error they try again, and nobody loses the session. */
function translated({ code, status, message, retryAfter }: Refusal): PoolError {
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
