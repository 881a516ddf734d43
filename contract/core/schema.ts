import * as v from 'valibot';
import { MAX_TEXT } from '../feedback/rating.ts';
import { characterProblem, LONGEST_NAME, lengthOf } from './names.ts';

/** Messages that a page shows beside a field (docs/rules.md#wording). */
export const MESSAGES = {
  email: 'Please enter a valid email',
  code: 'Please enter a valid code',
  highlighted: 'Please fix the highlighted input',
  characters: 'Remove characters that can’t be stored',
  rating: 'Choose a face to continue',
  reviewLink: 'Paste the link to your review page on this service',
} as const;

/** The email addresses that sign-up accepts (docs/rules.md#email). Linear in the length, so no input is slow. */
export const EMAIL = /^[a-z0-9][a-z0-9._-]*@(?:[a-z0-9-]+\.)+[a-z]{2,5}$/;
/** A stored name (UTF-16 units): one character that people see may take many. @limit name-length */
export const LONGEST_STORED_NAME = 200;
/** Characters of an email address. @limit email-length */
export const MAX_EMAIL = 254;
/** NUL and lone surrogates, which PostgreSQL refuses in text and in jsonb. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns a schema of free text that PostgreSQL stores unchanged: no NUL, no lone surrogate. Lengths are in UTF-16 units, as in a text area. */
// @__NO_SIDE_EFFECTS__
export function text(maximum: number, minimum = 0) {
  return v.pipe(
    v.string(),
    v.minLength(minimum, minimum === 1 ? 'Please fill this in' : `At least ${minimum} characters`),
    v.maxLength(maximum, `At most ${maximum.toLocaleString('en-US')} characters`),
    v.check((value) => !UNSTORABLE.test(value), MESSAGES.characters),
  );
}

/**
 * Returns a schema of a name in any script: one line, in Unicode's composed form (NFC), without spaces around it or in a row. The length is
 * that of the composed form, which may be longer than what was typed.
 */
// @__NO_SIDE_EFFECTS__
export function lineOfText(maximum: number) {
  return v.pipe(
    v.string(),
    v.normalize('NFC'),
    text(maximum, 1),
    v.transform((line) => line.replace(/\s+/gu, ' ')),
    v.trim(),
    v.nonEmpty('Please fill this in'),
  );
}

/** An email address for sign-in: lowercased, then checked. */
export const email = v.pipe(v.string(), v.maxLength(MAX_EMAIL, MESSAGES.email), v.trim(), v.toLowerCase(), v.regex(EMAIL, MESSAGES.email));

/** A company's or a person's name: 1 to 30 letters, digits, spaces, underscores or hyphens (docs/rules.md#names). */
export const displayName = v.pipe(
  text(LONGEST_STORED_NAME, 1),
  v.trim(),
  v.normalize('NFC'),
  v.nonEmpty('Please fill this in'),
  v.check(
    (name) => characterProblem(name) === undefined,
    ({ input }) => characterProblem(input) ?? '',
  ),
  v.check((name) => lengthOf(name) <= LONGEST_NAME, `At most ${LONGEST_NAME} characters`),
);

/** A moment: UTC milliseconds since 1970, up to the end of the year 9999. */
export const instant = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(253_402_300_799_999));

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
/** A time on a 24-hour clock, such as `22:00`. */
export const timeOfDay = v.pipe(v.string(), v.regex(TIME, 'Enter a time such as 22:00'));

export const ZONE_MESSAGE = 'Choose a time zone such as Europe/Lisbon';
/** Full names of the tz database only: runtimes disagree about short names and offsets. */
const ZONE = /^(?:UTC|[A-Z][A-Za-z_]*(?:\/[A-Za-z0-9_+-]+)+)$/;

/** A zone of the tz database that this runtime supports, such as `Europe/Lisbon`. */
export const zone = v.pipe(v.string(), v.maxLength(64), v.check(isZone, ZONE_MESSAGE));

function isZone(name: string): boolean {
  try {
    return ZONE.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const uuid = v.pipe(v.string(), v.uuid());

/** A text that someone writes: not empty, and no longer than a visitor's. */
export const writtenText = v.pipe(text(MAX_TEXT, 1), v.trim(), v.nonEmpty('Please fill this in'));

/** The input of a paged list: search text, cursor and limit. */
export const page = {
  search: v.optional(v.pipe(text(100), v.normalize('NFC')), ''),
  cursor: v.optional(text(200)),
  /** Records of a page. @limit page-size */
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 25),
};

/** The answer for a record that doesn't exist or is another account's; callers can't tell which. */
const notFound = v.strictObject({ status: v.literal('not found') });

/** Returns a schema of `{ status: 'ok', … }` or `{ status: 'not found' }`. */
// @__NO_SIDE_EFFECTS__
export function okOrNotFound<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.variant('status', [v.strictObject({ status: v.literal('ok'), ...entries }), notFound]);
}

export const NOT_FOUND = { status: 'not found' } as const;
