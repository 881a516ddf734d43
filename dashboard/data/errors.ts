import type { FieldError, Problem, RefusalCode } from '#contract/errors.ts';

export const UNREACHABLE = 'We can’t reach the server. Check your connection and try again.';
const BROKEN = 'Something went wrong. Please try again.';

/** An error whose message is written for the person in front of the screen. */
export class UserFacingError extends Error {
  /** The server was not reached, which is not a refusal. */
  readonly isOffline: boolean;

  constructor(message: string, { isOffline = false } = {}) {
    super(message);
    this.isOffline = isOffline;
  }
}

/** The server said no, or could not be reached. */
export class CallError extends UserFacingError {
  /** 0 when there was no answer at all. */
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;

  constructor(
    message: string,
    { status = 0, code = 'offline', errors = [], requestId }: Partial<Pick<Problem, 'status' | 'code' | 'errors' | 'requestId'>> = {},
  ) {
    super(message, { isOffline: status === 0 });
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
  }
}

/** The record that a page or an action is about is not there. */
export class NotFound extends UserFacingError {
  constructor() {
    super('This is not there any more.');
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

/** The message for something that failed: the service's own (docs/rules.md#wording), but for a network that is not there. */
export function messageOf(error: unknown): string {
  if (error instanceof UserFacingError) return error.isOffline ? UNREACHABLE : error.message;
  // A request that was given up for taking too long.
  return error instanceof DOMException ? UNREACHABLE : BROKEN;
}

/** The server's message for one field, found by the end of its path: `displayName` for `payload.data.displayName`. */
export function fieldMessageOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  return error.errors.find(({ path }) => path === field || path.endsWith(`.${field}`))?.message;
}

/** Whether the server refused with this code. */
export const isRefused = (error: unknown, code: RefusalCode): boolean => error instanceof CallError && error.code === code;
