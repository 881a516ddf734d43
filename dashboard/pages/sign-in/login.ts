import { MESSAGES } from '#contract/schema.ts';

/** What was typed so far. */
export interface LoginDraft {
  readonly email: string;
  readonly password: string;
  readonly emailError: string | undefined;
}

/** 'Sign in' is off while a field is empty or an error is showing (SPEC §5). */
export const isReady = (draft: LoginDraft): boolean => missingOf(draft) === undefined;

/** Why the button is off. */
export function missingOf({ email, password, emailError }: LoginDraft): string | undefined {
  if (emailError !== undefined) return MESSAGES.highlighted;
  if (email === '' && password === '') return 'Enter your email and password to sign in.';
  if (email === '') return 'Enter your email to sign in.';
  if (password === '') return 'Enter your password to sign in.';
  return undefined;
}
