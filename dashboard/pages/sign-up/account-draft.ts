import { t } from '../../language.ts';
import { allOf } from '../../ui/format/list.ts';
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

/** Returns why 'Create account' is disabled: names the empty fields, and those to check. */
export function missingOf({ companyName, displayName, email, password, hasAccepted }: AccountDraft): string | undefined {
  const wrong = [
    { problem: nameProblem(companyName), value: companyName, name: t('your company’s name') },
    { problem: nameProblem(displayName), value: displayName, name: t('your name') },
    { problem: emailProblem(email), value: email, name: t('your email address') },
    {
      problem: passwordProblem(password),
      value: password,
      name: password === '' ? t('a password of 8 or more characters') : t('your password'),
    },
    { problem: hasAccepted ? undefined : '', value: '', name: t('your consent to the Terms of Service') },
  ].filter(({ problem }) => problem !== undefined);
  const namesOf = (isEmpty: boolean) => wrong.filter(({ value }) => (value.trim() === '') === isEmpty).map(({ name }) => name);
  const [empty, invalid] = [namesOf(true), namesOf(false)];
  const sentences = [
    ...(empty.length > 0 ? [t('Still needed: {fields}.', { fields: allOf(empty) })] : []),
    ...(invalid.length > 0 ? [t('Check {fields}.', { fields: allOf(invalid) })] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}
