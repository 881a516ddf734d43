import type { FieldError, Problem, RefusalCode } from '#contract/core/errors.ts';

export const UNREACHABLE = 'We can’t reach the server. Check your connection and try again.';
export const BROKEN = 'Something went wrong. Please try again.';

interface UserFacingDetail {
  readonly isOffline?: boolean;
  readonly code?: string | undefined;
  readonly errors?: readonly FieldError[];
}

/** An error whose message is written for the person in front of the screen. */
export class UserFacingError extends Error {
  /** The server was not reached, which is not a refusal. */
  readonly isOffline: boolean;
  /** A refusal's code, whoever refused: the server or the user pool. */
  readonly code: string | undefined;
  /** The wrong fields, where there are some. */
  readonly errors: readonly FieldError[];

  constructor(message: string, { isOffline = false, code, errors = [] }: UserFacingDetail = {}) {
    super(message);
    this.isOffline = isOffline;
    this.code = code;
    this.errors = errors;
  }
}

interface CallErrorDetail extends Partial<Pick<Problem, 'status' | 'code' | 'errors' | 'requestId'>> {
  readonly retryAfter?: number | undefined;
}

/** The server said no, or could not be reached. */
export class CallError extends UserFacingError {
  /** 0 when there was no answer at all. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** After how long the server wants to be asked again (ms), where it says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status = 0, code = 'offline', errors = [], requestId, retryAfter }: CallErrorDetail = {}) {
    super(message, { isOffline: status === 0, code, errors });
    this.name = 'CallError';
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The record that a page or an action is about is not there. */
export class NotFound extends UserFacingError {
  constructor() {
    super('This no longer exists.');
  }
}

/** What is said instead of the answer's own message (docs/rules.md#wording). */
const UNSUCCESSFUL: Readonly<Record<string, string>> = { 'user.create': 'Error creating user, please try again.' };

/** An answer with `success: false` and its message. */
export class Unsuccessful extends UserFacingError {
  constructor(operation: string, { message }: { message: string }) {
    super(UNSUCCESSFUL[operation] ?? message);
  }
}

/** The message for something that failed: the service's own (docs/rules.md#wording), except where no service answered. */
export function messageOf(error: unknown): string {
  // The pool has words of its own for it.
  if (error instanceof CallError && error.isOffline) return UNREACHABLE;
  if (error instanceof UserFacingError) return error.message;
  // A request that was given up for taking too long.
  return error instanceof DOMException ? UNREACHABLE : BROKEN;
}

/** The server's message for one field, found by the end of its path: `displayName` for `payload.data.displayName`. */
export function fieldMessageOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof UserFacingError)) return undefined;
  return error.errors.find(({ path }) => path === field || path.endsWith(`.${field}`))?.message;
}

/** Whether the server, or the user pool, refused with this code. */
export const isRefused = (error: unknown, code: RefusalCode): boolean => error instanceof UserFacingError && error.code === code;
