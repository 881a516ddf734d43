import { PASSWORD_WORDS } from '#contract/identity/identity.ts';
import { translateMessage } from '#contract/language/translate.ts';
import { t } from './language.ts';

/** The user pool's prefix before the reason that it refused a new password. */
const UNFIT = 'Password did not conform with policy: ';
/** A message of `characterProblem`. */
const WRONG_CHARACTER = /^Names can't contain (.+?)\.(?: Try (.+)\.)?$/;

/** Returns a message of the server, the user pool or a schema in the dashboard's language. */
export function translatedMessage(message: string): string {
  const password = PASSWORD_WORDS[message.replace(UNFIT, '')];
  if (password !== undefined) return translateMessage(t, password);
  const [, words, spelling] = WRONG_CHARACTER.exec(message) ?? [];
  if (words === undefined) return translateMessage(t, message);
  const character = translateMessage(t, words);
  return spelling === undefined
    ? t("Names can't contain {character}.", { character })
    : t("Names can't contain {character}. Try {spelling}.", { character, spelling });
}
