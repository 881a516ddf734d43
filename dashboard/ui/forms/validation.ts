import * as v from 'valibot';
import { lengthOf, LONGEST_NAME as NAME_LIMIT } from '#contract/core/names.ts';
import { displayName, email, MESSAGES } from '#contract/core/schema.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM, SIGN_IN_CODE } from '#contract/identity/identity.ts';
import { translatedMessage } from '../../message.ts';

/* Schemas of fields, from the contract where it has one. */

export { displayName, email, lengthOf, NAME_LIMIT };

/** The server also refuses common passwords. */
export const newPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MINIMUM, `Use at least ${PASSWORD_MINIMUM} characters`),
  v.maxLength(PASSWORD_MAXIMUM, `Use at most ${PASSWORD_MAXIMUM} characters`),
);

/** Digits only. An empty code counts as missing, not as invalid. */
export const code = v.pipe(v.string(), v.regex(/^\d*$/, MESSAGES.code));

/* Functions that return the translated message for an invalid value, or undefined. */

export const problemBy =
  (schema: v.GenericSchema<string, unknown>) =>
  (value: string): string | undefined =>
    translated(v.safeParse(schema, value).issues?.[0].message);

const translated = (message: string | undefined): string | undefined => message && translatedMessage(message);

export const emailProblem = problemBy(email);
/** Checks a company's or person's name. */
export const nameProblem = problemBy(displayName);
export const passwordProblem = problemBy(newPassword);
export const codeProblem = problemBy(code);
/** Checks a code for two-step sign-in: six digits or a backup code. */
export const signInCodeProblem = problemBy(v.pipe(v.string(), v.regex(SIGN_IN_CODE, MESSAGES.code)));
/** Checks a backup code. Its dash is optional. */
export const backupCodeProblem = problemBy(v.pipe(v.string(), v.trim(), v.minLength(10), v.regex(SIGN_IN_CODE)));

/** Returns whether a field is invalid, with the message for the line below the button: `enter` if it is empty. */
export const requirement = (schema: v.GenericSchema<string, unknown>, value: string, enter: string): readonly [boolean, string] => {
  const problem = problemBy(schema)(value);
  return [problem !== undefined, value.trim() === '' ? enter : (problem ?? enter)];
};

/** Returns the message of the first unmet requirement. */
export const firstMissing = (...requirements: readonly (readonly [isMissing: boolean, message: string])[]): string | undefined =>
  requirements.find(([isMissing]) => isMissing)?.[1];
