import { t } from '../../language.ts';
import { emailProblem, nameProblem, passwordProblem } from '../../ui/forms/validation.ts';

/** The typed input of the first step. */
export interface AccountDraft {
  readonly companyName: string;
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly hasAccepted: boolean;
}

export const EMPTY: AccountDraft = { companyName: '', displayName: '', email: '', password: '', hasAccepted: false };

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
const sentenceOf = (lead: string, names: readonly string[]): string[] => (names.length > 0 ? [`${lead} ${LIST.format(names)}.`] : []);

/** Returns why 'Create account' is disabled: names the empty fields, and those to check. */
export function missingOf({ companyName, displayName, email, password, hasAccepted }: AccountDraft): string | undefined {
  const wrong = [
    { problem: nameProblem(companyName), value: companyName, name: 'your company’s name' },
    { problem: nameProblem(displayName), value: displayName, name: 'your name' },
    { problem: emailProblem(email), value: email, name: 'your email address' },
    { problem: passwordProblem(password), value: password, name: password === '' ? 'a password of 8 or more characters' : 'your password' },
    { problem: hasAccepted ? undefined : '', value: '', name: 'your consent to the Terms of Service' },
  ].filter(({ problem }) => problem !== undefined);
  const namesOf = (isEmpty: boolean) => wrong.filter(({ value }) => (value.trim() === '') === isEmpty).map(({ name }) => name);
  const sentences = [...sentenceOf(t('Still needed:'), namesOf(true)), ...sentenceOf('Check', namesOf(false))];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}
