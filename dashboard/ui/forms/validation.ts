import * as v from 'valibot';
import { lengthOf, LONGEST_NAME as NAME_LIMIT } from '#contract/core/names.ts';
import { displayName, email, MESSAGES } from '#contract/core/schema.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM, SIGN_IN_CODE } from '#contract/identity/identity.ts';

/* What may be typed into a field. Where the contract has a schema, it is the contract's. */

export { displayName, email, lengthOf, NAME_LIMIT };

/** Which passwords are too common, the server knows. */
export const newPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MINIMUM, `Use at least ${PASSWORD_MINIMUM} characters`),
  v.maxLength(PASSWORD_MAXIMUM, `Use at most ${PASSWORD_MAXIMUM} characters`),
);

/** Digits only; an empty field is not wrong, it is missing. */
export const code = v.pipe(v.string(), v.regex(/^\d*$/, MESSAGES.code));

/* The message for a value that is wrong; undefined where it is right. */

export const problemBy =
  (schema: v.GenericSchema<string, unknown>) =>
  (value: string): string | undefined =>
    v.safeParse(schema, value).issues?.[0].message;

export const emailProblem = problemBy(email);
/** For a company's or a person's name. */
export const nameProblem = problemBy(displayName);
export const passwordProblem = problemBy(newPassword);
export const codeProblem = problemBy(code);
/** For the second step of signing in: six digits of an app, or a backup code. */
export const signInCodeProblem = problemBy(v.pipe(v.string(), v.regex(SIGN_IN_CODE, MESSAGES.code)));
/** For a backup code alone, whose dash may be left out. */
export const backupCodeProblem = problemBy(v.pipe(v.string(), v.trim(), v.minLength(10), v.regex(SIGN_IN_CODE)));

/** What is wrong with what was typed, for the line below a form's button: what to enter, where there is nothing yet. */
export const unfit = (schema: v.GenericSchema<string, unknown>, value: string, enter: string): readonly [boolean, string] => {
  const problem = problemBy(schema)(value);
  return [problem !== undefined, value.trim() === '' ? enter : (problem ?? enter)];
};

/** The first of what is wrong, as a form says it below its button. */
export const firstMissing = (...wants: readonly (readonly [isMissing: boolean, says: string])[]): string | undefined =>
  wants.find(([isMissing]) => isMissing)?.[1];
