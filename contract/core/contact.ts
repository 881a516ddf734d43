/* The rules of a contact answer. Pure, so that the form's page can check it before storing or sending it. */

/** The meanings of a contact question's two choices, in order; the business writes their labels. */
export const CONTACT_ANSWERS = ['No', 'Yes'] as const;

/** Accepts any usual email address; linear in its length. */
export const USUAL_EMAIL = /^[^\s@<>",;:\\()[\]]+@(?:[^\s@<>",;:\\()[\].]+\.)+[^\s@<>",;:\\()[\].]{2,}$/u;
const PHONE = /^\+?[\d\s()./-]*$/;
const PHONE_DIGITS = /\d/g;
const FEWEST_DIGITS = 5;

/** Messages for callers of the API; visitors read the same problems in their language. */
const CONTACT_MESSAGES = {
  noContact: 'Add a phone number or an email so we can reach you',
  badEmail: 'Please enter a valid email',
  badPhone: 'Please enter a valid phone number',
} as const;

interface Contact {
  readonly answer: 'Yes' | 'No';
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

type ContactField = 'phone' | 'email';

interface ContactProblem {
  readonly field: ContactField;
  readonly problem: keyof typeof CONTACT_MESSAGES;
  readonly message: string;
}

const contactProblem = (field: ContactField, problem: ContactProblem['problem']): ContactProblem => ({
  field,
  problem,
  message: CONTACT_MESSAGES[problem],
});

/** Returns everything wrong with a contact answer, in the order of its fields (docs/rules.md#contact). */
export function contactProblems(contact: Contact): ContactProblem[] {
  const { answer, phone = '', email = '' } = contact;
  const isMissing = answer === 'Yes' && phone.trim() === '' && email.trim() === '';
  return isMissing ? [contactProblem('phone', 'noContact')] : contactFormatProblems(contact);
}

/** Returns the malformed fields of a contact answer. Both may be empty if a phone number or an email was left before. */
export function contactFormatProblems({ answer, phone = '', email = '' }: Contact): ContactProblem[] {
  if (answer === 'No') return [];
  const problems: ContactProblem[] = [];
  if (phone.trim() !== '' && !isPhone(phone)) problems.push(contactProblem('phone', 'badPhone'));
  if (email.trim() !== '' && !USUAL_EMAIL.test(email.trim())) problems.push(contactProblem('email', 'badEmail'));
  return problems;
}

/**
 * Returns a phone number as anyone can dial it: digits of every script (٠٤٠, ०४०, ０４０) become 0 to 9, wide signs their usual ones,
 * and invisible marks from copying are removed. Everything else stays as typed.
 */
export const plainPhone = (phone: string): string =>
  phone
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, plainDigit);

/** Returns a digit as 0 to 9. Unicode lists a script's ten digits in order from zero, preceded only by whole sets of ten. */
function plainDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1;
  return String(before % 10);
}

/** Links that call a phone number or write to an email address. */
export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`;
export const emailLink = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;

/** Returns a contact answer merged over the previous one: a missing part keeps the previous value, an empty one and a No delete it. */
export const mergeContact = <Answer extends Contact>(before: Answer, after: Answer): Answer =>
  before.answer === 'No' || after.answer === 'No' ? after : { ...before, ...after };

function isPhone(typed: string): boolean {
  const phone = plainPhone(typed).trim();
  return PHONE.test(phone) && (phone.match(PHONE_DIGITS)?.length ?? 0) >= FEWEST_DIGITS;
}
