import * as v from 'valibot';
import { SIGN_IN_CODE } from '#contract/identity/identity.ts';
import { invalidParameter, type PoolError } from '../pool/errors.ts';
import { DEVICE_KEY } from '../pool/sessions/devices-store.ts';

/* Fields as Cognito's model has them. Where an address may be longer than there, ours is. */

const MAX_USERNAME = 254;
const MAX_PASSWORD = 256;

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));

export const clientId = v.pipe(text(128), v.regex(/^[\w+]+$/));
export const accessToken = v.pipe(v.string(), v.regex(/^[A-Za-z0-9\-_=.]+$/));
/** Letters, marks, symbols, numbers, punctuation: no blanks, no control characters. */
export const username = v.pipe(text(MAX_USERNAME), v.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u), v.toLowerCase());
export const password = text(MAX_PASSWORD);
export const token = text(4_096);
/** What was in the mail; whether it is six digits, the comparison says. */
export const confirmationCode = v.pipe(text(2_048), v.regex(/^\S+$/));
export const softwareTokenCode = v.pipe(v.string(), v.regex(/^\d{6}$/));
/** The answer to the question for it, which may be a backup code as well: the client sends both alike. */
export const signInCode = v.pipe(v.string(), v.regex(SIGN_IN_CODE));
export const challengeSession = v.pipe(v.string(), v.minLength(20), v.maxLength(2_048));
export const attributeName = v.pipe(text(32), v.regex(/^[\p{L}\p{M}\p{S}\p{N}\p{P}]+$/u));

export const deviceKey = v.pipe(text(55), v.regex(DEVICE_KEY));
/** What a browser calls itself. */
export const deviceName = v.pipe(
  text(1_024),
  v.transform((name) => name.replace(/\p{Cc}/gu, '')),
);
export const base64 = v.pipe(text(2_048), v.regex(/^[A-Za-z0-9+/]+={0,2}$/));

/** The input as the schema has it. Refuses what does not fit, as Cognito words it. */
export function validated<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (!result.success) throw unfit(result.issues);
  return result.output;
}

/** Parameters of a flow travel as a map of their own, where Cognito words it differently. */
export function validatedParameters<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortPipeEarly: true });
  if (result.success) return result.output;
  const missing = result.issues.find(({ received }) => received === 'undefined');
  throw missing ? invalidParameter(`Missing required parameter ${lastKey(missing)}`) : unfit(result.issues);
}

function unfit(issues: readonly v.BaseIssue<unknown>[]): PoolError {
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
