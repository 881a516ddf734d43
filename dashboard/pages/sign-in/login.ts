import { MESSAGES } from '#contract/schema.ts';
import { emailProblem } from '../../ui/validation.ts';

/** What was typed so far. */
export interface LoginDraft {
  readonly email: string;
  readonly password: string;
  /** An error is showing beside the email. */
  readonly isWrong: boolean;
}

/** 'Sign in' is off while a field is empty or an error is showing (SPEC §5); this says why. */
export function missingOf({ email, password, isWrong }: LoginDraft): string | undefined {
  if (isWrong && emailProblem(email)) return MESSAGES.highlighted;
  if (email === '' && password === '') return 'Enter your email and password to sign in.';
  if (email === '') return 'Enter your email to sign in.';
  if (password === '') return 'Enter your password to sign in.';
  return undefined;
}
