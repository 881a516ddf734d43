/** How a visitor wants to be answered. Pure, so that the form's page can check before it keeps or sends. */

/** What a contact question's two choices mean, in their order; their labels are the business's own. */
export const CONTACT_ANSWERS = ['No', 'Yes'] as const;

/** An address may have any usual form; linear in its length. */
const EMAIL = /^[^\s@<>",;:\\()[\]]+@(?:[^\s@<>",;:\\()[\].]+\.)+[^\s@<>",;:\\()[\].]{2,}$/u;
const PHONE = /^\+?[\d\s()./-]*$/;
const PHONE_DIGITS = /\d/g;
const FEWEST_DIGITS = 5;

const CONTACT_MESSAGES = {
  missing: 'Add a phone number or an email so we can reach you',
  email: 'Please enter a valid email',
  phone: 'Please enter a valid phone number',
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
  readonly message: string;
}

/** All that is wrong with a contact answer, in the order of its fields; nothing when it can be used (docs/rules.md#contact). */
export function contactProblems(contact: Contact): ContactProblem[] {
  const { answer, phone = '', email = '' } = contact;
  const isMissing = answer === 'Yes' && phone.trim() === '' && email.trim() === '';
  return isMissing ? [{ field: 'phone', message: CONTACT_MESSAGES.missing }] : contactFormatProblems(contact);
}

/** What is wrong with what a contact answer says. It may say nothing, where a phone number or an email was left before. */
export function contactFormatProblems({ answer, phone = '', email = '' }: Contact): ContactProblem[] {
  if (answer === 'No') return [];
  const problems: ContactProblem[] = [];
  if (phone.trim() !== '' && !isPhone(phone)) problems.push({ field: 'phone', message: CONTACT_MESSAGES.phone });
  if (email.trim() !== '' && !EMAIL.test(email.trim())) problems.push({ field: 'email', message: CONTACT_MESSAGES.email });
  return problems;
}

/**
 * A phone number as anybody can dial it: digits of every script (٠٤٠, ०४०, ０４０) become 0 to 9, wide signs their usual ones, and
 * the invisible marks that come along when a number is copied fall away. What is no digit stays as it was typed.
 */
export const plainPhone = (phone: string): string =>
  phone
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, plainDigit);

/** Unicode puts the ten digits of a script beside each other, from zero on, and nothing but other such tens before them. */
function plainDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1;
  return String(before % 10);
}

/** Addresses that call a phone number or write to an email. */
export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`;
export const emailLink = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;

/** A contact answer over the one that was given before: an empty part leaves what stood there, a No leaves nothing. */
export function mergeContact<One extends Contact>(before: One, after: One): One {
  if (before.answer === 'No' || after.answer === 'No') return after;
  const filled = Object.entries(after).filter(([, part]) => part?.trim());
  // Parts of an answer over an answer are an answer.
  return { ...before, ...Object.fromEntries(filled) } as One;
}

function isPhone(typed: string): boolean {
  const phone = plainPhone(typed).trim();
  return PHONE.test(phone) && (phone.match(PHONE_DIGITS)?.length ?? 0) >= FEWEST_DIGITS;
}
