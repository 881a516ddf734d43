/** How a visitor wants to be answered. Pure, so that the form's page can check before it keeps or sends. */

/** What a contact question's two choices mean, in their order; their labels are the business's own. */
export const CONTACT_ANSWERS = ['No', 'Yes'] as const;

/** An address may have any usual form; linear in its length. */
const EMAIL = /^[^\s@<>",;:\\()[\]]+@(?:[^\s@<>",;:\\()[\].]+\.)+[^\s@<>",;:\\()[\].]{2,}$/u;
const PHONE = /^\+?[\d\s()./-]*$/;
const PHONE_DIGITS = /\d/g;
const FEWEST_DIGITS = 5;

export const CONTACT_MESSAGES = {
  missing: 'Leave a phone number or an email so that the team can reach you',
  email: 'Please enter a valid email',
  phone: 'Please enter a valid phone number',
} as const;

interface Contact {
  readonly answer: 'Yes' | 'No';
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

export type ContactField = 'phone' | 'email';

interface ContactProblem {
  readonly field: ContactField;
  readonly message: string;
}

/** What is wrong with a contact answer: the first field to fix and why; undefined when it can be used (docs/rules.md#contact). */
export function contactProblem(contact: Contact): ContactProblem | undefined {
  const { answer, phone = '', email = '' } = contact;
  const isMissing = answer === 'Yes' && phone.trim() === '' && email.trim() === '';
  return isMissing ? { field: 'phone', message: CONTACT_MESSAGES.missing } : contactFormatProblem(contact);
}

/** What is wrong with what a contact answer says. It may say nothing, where a phone number or an email was left before. */
export function contactFormatProblem({ answer, phone = '', email = '' }: Contact): ContactProblem | undefined {
  if (answer === 'No') return undefined;
  if (phone.trim() !== '' && !isPhone(phone)) return { field: 'phone', message: CONTACT_MESSAGES.phone };
  if (email.trim() !== '' && !EMAIL.test(email.trim())) return { field: 'email', message: CONTACT_MESSAGES.email };
  return undefined;
}

/** A contact answer over the one that was given before: an empty part leaves what stood there, a No leaves nothing. */
export function mergeContact<One extends Contact>(before: One, after: One): One {
  if (before.answer === 'No' || after.answer === 'No') return after;
  const filled = Object.entries(after).filter(([, part]) => part?.trim());
  // Parts of an answer over an answer are an answer.
  return { ...before, ...Object.fromEntries(filled) } as One;
}

const isPhone = (phone: string): boolean => PHONE.test(phone.trim()) && (phone.match(PHONE_DIGITS)?.length ?? 0) >= FEWEST_DIGITS;
