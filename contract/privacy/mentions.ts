import { plainPhone } from '../core/contact.ts';
import { digitsOf, type VisitorContact } from './privacy.ts';

/** Returns whether a text contains a contact: an address in any case, a number with any separators, neither as part of a longer one. */
export const mentionsContact = (text: string, contact: VisitorContact): boolean =>
  'email' in contact ? mentionsEmail(text, contact.email) : numbersIn(text).some((number) => digitsOf(number) === contact.phone);

/* Letters that continue an address. Other scripts don't: Chinese, Japanese and Korean put their words next to it without a space. */
const LETTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}]';
/** Before an address: the rest of a longer name. Two dots in a row end a sentence. */
const NAME_CONTINUES = new RegExp(`${LETTER}[_%+'-]*\\.?[_%+'-]*$`, 'u');
/** After an address: the rest of a longer domain. */
const DOMAIN_CONTINUES = new RegExp(`^-*\\.?-*${LETTER}`, 'u');

function mentionsEmail(text: string, email: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(email); at !== -1; at = lower.indexOf(email, at + 1))
    if (!NAME_CONTINUES.test(lower.slice(0, at)) && !DOMAIN_CONTINUES.test(lower.slice(at + email.length))) return true;
  return false;
}

/** Groups of digits with what people write between them: a space, a dot, or a slash, dash or bracket with spaces around it. */
const NUMBER = /\d+(?:(?:[ .]| ?[-‐–/()]{1,2} ?)\d+)*/g;

const numbersIn = (text: string): string[] => plainPhone(text).match(NUMBER) ?? [];
