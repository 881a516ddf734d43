import type { FieldError, Problem, RefusalCode } from '#contract/core/errors.ts';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import { t } from '../language.ts';
import { translatedMessage } from '../message.ts';

export const UNREACHABLE = translatable('We can’t reach the server. Check your connection and try again.');
export const BROKEN = translatable('Something went wrong. Please try again.');

interface UserFacingDetail {
  readonly isOffline?: boolean;
  readonly code?: string | undefined;
  readonly errors?: readonly FieldError[];
}

/** An error whose message is written for the user: the service's in English, or a translated one. */
export class UserFacingError extends Error {
  /** The server couldn't be reached. */
  readonly isOffline: boolean;
  /** The refusal's code, from the server or the user pool. */
  readonly code: string | undefined;
  /** The invalid fields, if any. */
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

/** The server refused, or couldn't be reached. */
export class CallError extends UserFacingError {
  /** 0 when there was no response. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** The server's retry delay (ms), if it sent one. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status = 0, code = 'offline', errors = [], requestId, retryAfter }: CallErrorDetail = {}) {
    super(message, { isOffline: status === 0, code, errors });
    this.name = 'CallError';
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The record of a page or an action doesn't exist. */
export class NotFound extends UserFacingError {
  constructor() {
    super(t('This no longer exists.'));
  }
}

/** Messages that replace the answer's own (docs/rules.md#wording). */
const UNSUCCESSFUL: Readonly<Record<string, Untranslated>> = { 'user.create': translatable('Error creating user, please try again.') };

/** An answer with `success: false`. */
export class Unsuccessful extends UserFacingError {
  constructor(operation: string, { message }: { message: string }) {
    const replacement = UNSUCCESSFUL[operation];
    super(replacement === undefined ? message : t(replacement));
  }
}

/** Returns the translated message for a failure: the service's own (docs/rules.md#wording), unless no service responded. */
export function messageOf(error: unknown): string {
  // Not for the pool, which has its own message.
  if (error instanceof CallError && error.isOffline) return t(UNREACHABLE);
  if (error instanceof UserFacingError) return translatedMessage(error.message);
  // A DOMException here is a request that timed out.
  return error instanceof DOMException ? t(UNREACHABLE) : t(BROKEN);
}

/** Returns the server's translated message for one field, matched by the end of its path: `displayName` for `payload.data.displayName`. */
export function fieldMessageOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof UserFacingError)) return undefined;
  const wrong = error.errors.find(({ path }) => path === field || path.endsWith(`.${field}`));
  return wrong && translatedMessage(wrong.message);
}

/** Returns whether the server or the user pool refused with this code. */
export const isRefused = (error: unknown, code: RefusalCode): boolean => error instanceof UserFacingError && error.code === code;
