import { emailProblem, nameProblem, passwordProblem } from '../../ui/validation.ts';

/** What was typed so far at the first step. */
export interface AccountDraft {
  readonly companyName: string;
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly hasAccepted: boolean;
}

export const EMPTY: AccountDraft = { companyName: '', displayName: '', email: '', password: '', hasAccepted: false };

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** 'Create account' is on only when all five pass; this names all that do not. */
export function missingOf({ companyName, displayName, email, password, hasAccepted }: AccountDraft): string | undefined {
  const left = [
    [nameProblem(companyName), 'your company’s name'],
    [nameProblem(displayName), 'your name'],
    [emailProblem(email), 'your email address'],
    [passwordProblem(password), 'a password of 8 or more characters'],
    [hasAccepted ? undefined : '', 'your consent to the Terms of Service'],
  ].flatMap(([problem, name]) => (problem === undefined ? [] : [name ?? '']));
  return left.length > 0 ? `Still needed: ${LIST.format(left)}.` : undefined;
}
