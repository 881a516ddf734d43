import * as v from 'valibot';
import { SIGN_IN_CODE } from '#contract/identity/identity.ts';
import { invalidParameter, type PoolError } from '../pool/errors.ts';
import { DEVICE_KEY } from '../pool/sessions/devices-store.ts';

/* Fields as in Cognito's model, except that addresses may be longer. */

const MAX_USERNAME = 254;
const MAX_PASSWORD = 256;

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

export const clientId = v.pipe(text(128), v.regex(/^[\w+]+$/));
export const accessToken = v.pipe(v.string(), v.regex(/^[A-Za-z0-9\-_=.]+$/));
/** Letters, marks, symbols, numbers and punctuation; no spaces or control characters. */
export const username = v.pipe(text(MAX_USERNAME), v.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u), v.toLowerCase());
export const password = text(MAX_PASSWORD);
export const token = text(4_096);
/** A code or link key from a mail; its format is checked when it is compared. */
export const confirmationCode = v.pipe(text(2_048), v.regex(/^\S+$/));
export const softwareTokenCode = v.pipe(v.string(), v.regex(/^\d{6}$/));
/** A one-time password or backup code: the client sends both in the same field. */
export const signInCode = v.pipe(v.string(), v.regex(SIGN_IN_CODE));
export const challengeSession = v.pipe(v.string(), v.minLength(20), v.maxLength(2_048));
export const attributeName = v.pipe(text(32), v.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));

export const deviceKey = v.pipe(text(55), v.regex(DEVICE_KEY));
/** The browser's name for itself. */
export const deviceName = v.pipe(
  text(1_024),
  v.transform((name) => name.replace(/\p{Cc}/gu, '')),
);
export const base64 = v.pipe(text(2_048), v.regex(/^[A-Za-z0-9+/]+={0,2}$/));

/** Returns the parsed input; throws `InvalidParameterException` in Cognito's words if it is not valid. */
export function validated<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (!result.success) throw validationError(result.issues);
  return result.output;
}

/** Same for the parameters of a flow, a separate map for which Cognito words errors differently. */
export function validatedParameters<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const missing = result.issues.find(({ received }) => received === 'undefined');
  throw missing ? invalidParameter(`Missing required parameter ${lastKey(missing)}`) : validationError(result.issues);
}

function validationError(issues: readonly v.BaseIssue<unknown>[]): PoolError {
  const messages = issues.map((issue) => `Value at '${nameOf(issue)}' failed to satisfy constraint: ${constraintOf(issue)}`);
  return invalidParameter(`${messages.length} validation error${messages.length === 1 ? '' : 's'} detected: ${messages.join('; ')}`);
}

const lastKey = ({ path }: v.BaseIssue<unknown>): string => String(path?.at(-1)?.key ?? 'request');

function nameOf(issue: v.BaseIssue<unknown>): string {
  const key = lastKey(issue);
  return key === key.toUpperCase() ? key : `${key.charAt(0).toLowerCase()}${key.slice(1)}`;
}

function constraintOf({ type, received, expected, requirement }: v.BaseIssue<unknown>): string {
  if (received === 'undefined' || received === 'null') return 'Member must not be null';
  if (type === 'min_length') return `Member must have length greater than or equal to ${requirement}`;
  if (type === 'max_length') return `Member must have length less than or equal to ${requirement}`;
  if (type === 'min_value') return `Member must have value greater than or equal to ${requirement}`;
  if (type === 'max_value') return `Member must have value less than or equal to ${requirement}`;
  if (type === 'regex') return `Member must satisfy regular expression pattern: ${(requirement as RegExp).source}`;
  if (type === 'picklist') return `Member must satisfy enum value set: [${expected?.replace(/["()]/g, '').replaceAll(' | ', ', ')}]`;
  return `Member must be of type ${expected}`;
}
