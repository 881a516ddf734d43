import * as v from 'valibot';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from '#contract/identity.ts';
import { email as emailSchema, MESSAGES, displayName as nameSchema } from '#contract/schema.ts';

/* What is wrong with what was typed, if anything (SPEC §5). */

export const emailProblem = (email: string): string | undefined => (v.is(emailSchema, email) ? undefined : MESSAGES.email);

/** Of a company's or a person's name. */
export function nameProblem(name: string): string | undefined {
  const { issues } = v.safeParse(nameSchema, name);
  return issues?.[0].message;
}

/** Of a new password; which ones are too common, the server knows. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MINIMUM) return `Use at least ${PASSWORD_MINIMUM} characters`;
  return password.length > PASSWORD_MAXIMUM ? `Use at most ${PASSWORD_MAXIMUM} characters` : undefined;
}

const DIGITS = /^\d*$/;

/** Digits only; an empty field is not wrong, it is missing. */
export const codeProblem = (code: string): string | undefined => (DIGITS.test(code) ? undefined : MESSAGES.code);

export const NAME_LIMIT = 30;

/** The first of what is wrong, as a form says it below its button. */
export const firstMissing = (...wants: readonly (readonly [isMissing: boolean, says: string])[]): string | undefined =>
  wants.find(([isMissing]) => isMissing)?.[1];
