import * as v from 'valibot';
import { plainPhone, USUAL_EMAIL } from '../core/contact.ts';
import { propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { MAX_EMAIL, MESSAGES, okOrNotFound, text } from '../core/schema.ts';
import { event } from '../event/event.ts';
import { feedback } from '../feedback/feedback.ts';

/* What an admin does for a visitor who asks about their data, and how long words are kept (docs/rules.md#visitors-rights). */

/** The most answers that a request lists or exports, and that one call erases. @limit privacy */
export const MOST_LISTED = 100;
export const MOST_IN_FILE = 1_000;
export const MOST_ERASED = 100;

const FEWEST_DIGITS = 5;

/** An email address, or a phone number without its punctuation. */
export type VisitorContact = { readonly email: string } | { readonly phone: string };

/** Returns the contact in what someone typed; undefined if it is neither an address nor a number. */
export function visitorContact(typed: string): VisitorContact | undefined {
  const plain = typed.trim();
  if (/^[^\s@]+@[^\s@]+$/.test(plain)) return { email: plain.toLowerCase() };
  const phone = digitsOf(plain);
  return phone.length >= FEWEST_DIGITS && /^[+\d\s()./-]+$/.test(plainPhone(plain)) ? { phone } : undefined;
}

/** Returns the digits of a phone number, without the signs for "international". */
export const digitsOf = (phone: string): string => plainPhone(phone).replace(/\D/g, '').replace(/^00/, '');

const contact = v.pipe(
  text(MAX_EMAIL, 1),
  v.check((typed) => visitorContact(typed) !== undefined, 'Enter an email address or a phone number'),
);

/** The address at which visitors can ask about their data. */
export const privacyContact = v.pipe(text(MAX_EMAIL, 1), v.trim(), v.regex(USUAL_EMAIL, MESSAGES.email));

/** The longest time that words are stored (months). @limit privacy */
export const LONGEST_RETENTION = 120;
const MONTHS = `Enter a number of months from 1 to ${LONGEST_RETENTION}`;
export const retentionMonths = v.pipe(v.number(MONTHS), v.integer(MONTHS), v.minValue(1, MONTHS), v.maxValue(LONGEST_RETENTION, MONTHS));

/** Returns the moment (UTC ms) before which words are deleted. */
export function retentionStart(now: number, months: number): number {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
}

export const privacyOperations = {
  find: operation({
    access: 'admin',
    whileEnded: true,
    summary: `List the newest ${MOST_LISTED} answers with an email address or phone number, as contact details or in their words, in all properties, and count them and the feedback requests to the address.`,
    input: v.strictObject({ contact }),
    answer: okOrNotFound({ feedback: v.array(feedback), count: v.number(), requests: v.number() }),
  }),
  file: operation({
    access: 'admin',
    whileEnded: true,
    summary: `Get a file with everything about an email address or phone number: up to ${MOST_IN_FILE} answers and their private messages, and the feedback requests to the address.`,
    input: v.strictObject({ contact }),
    answer: okOrNotFound({ name: v.string(), content: v.string() }),
  }),
  erase: operation({
    access: 'admin',
    whileEnded: true,
    summary: `Erase words, contact details and private messages of up to ${MOST_ERASED} answers with an email address or phone number, and the feedback requests to the address, which won’t be asked again. Repeat it until none is left.`,
    input: v.strictObject({ contact }),
    answer: okOrNotFound({ erased: v.number(), left: v.number() }),
  }),
  previewRetention: operation({
    access: 'admin',
    summary:
      'Count the answers whose words or contact details a property would delete if it kept them for a number of months. Up to 10,001.',
    input: v.strictObject({ propertyId: propertyIdSchema, months: retentionMonths }),
    answer: okOrNotFound({ count: v.number() }),
  }),
};

export const privacyExamples: Examples<typeof privacyOperations> = {
  find: () => ({ contact: 'ann@example.com' }),
  file: () => ({ contact: 'ann@example.com' }),
  erase: () => ({ contact: 'ann@example.com' }),
  previewRetention: ({ propertyId }) => ({ propertyId, months: 24 }),
};

export const privacyEvents = {
  'privacy.requested': event({
    seenBy: 'admin',
    summary: 'An admin got a file with everything about a visitor. The subject is the account.',
    data: v.strictObject({ answers: v.number() }),
  }),
  'privacy.erased': event({
    seenBy: 'admin',
    summary: 'An admin erased the words and contact details of a visitor. The subject is the account.',
    // Requests are missing without any, and in events from before they were counted.
    data: v.strictObject({ answers: v.number(), requests: v.optional(v.number()) }),
  }),
  'privacy.retained': event({
    seenBy: 'admin',
    summary: 'Words and contact details older than a property’s retention were deleted. The subject is the property.',
    data: v.strictObject({ answers: v.number() }),
  }),
};
