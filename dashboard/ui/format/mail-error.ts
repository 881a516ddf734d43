import { inEnglish, translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { translatedMessage } from '../../message.ts';

/** Errors of deliveries that end with a code, and the one that the database sets. */
const ERRORS = translatable([
  'The mail server did not take the mail ({code})',
  'The mail server could not be reached ({code})',
  'The mail server’s certificate is not trusted ({code})',
  'The address doesn’t exist ({code})',
  'The mail came back ({code})',
  'It wasn’t sent in time',
]);

/** Returns why an email or push notification wasn't delivered, in the dashboard's language. */
export function mailError(error: string): string {
  const [, code = ''] = /\(([^()]+)\)$/.exec(error) ?? [];
  const text = ERRORS.find((each) => inEnglish(each) === error.replace(`(${code})`, '({code})'));
  return text === undefined ? translatedMessage(error) : t(text, { code });
}
