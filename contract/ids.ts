import * as v from 'valibot';
import { utcDay } from './time.ts';

/** Fills the array with random bytes and returns it. The contract has no randomness of its own: callers pass theirs. */
export type RandomBytes = (size: number) => Uint8Array;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's length that a byte can hold: bytes from here on would favour the first letters. */
const UNBIASED = 256 - (256 % ALPHABET.length);

export const FORM_SUFFIX = 6;
export const FEEDBACK_SUFFIX = 5;
/** 22 letters of 62 carry 130 bits. Ids are public names all the same, never permission. */
const LONG_SUFFIX = 22;

/** Random letters and digits, each equally likely. */
export function randomAlphanumeric(length: number, random: RandomBytes): string {
  let letters = '';
  while (letters.length < length) {
    for (const byte of random(length)) {
      if (byte < UNBIASED && letters.length < length) letters += ALPHABET[byte % ALPHABET.length];
    }
  }
  return letters;
}

export const formId = (random: RandomBytes) => `FORM_${randomAlphanumeric(FORM_SUFFIX, random)}`;
export const accountId = (random: RandomBytes) => `ACCOUNT_${randomAlphanumeric(LONG_SUFFIX, random)}`;
export const propertyId = (random: RandomBytes) => `PROPERTY_${randomAlphanumeric(LONG_SUFFIX, random)}`;
/** The identity pool's user name is a UUID; the product's user id carries it. */
export const userId = (sub: string) => `USER_${sub}`;
export const subOf = (id: string) => id.slice('USER_'.length);

/**
 * `EXPERIENCE_yyyymmdd_milliseconds_suffix` (docs/rules.md#feedback-ids). The date is UTC. Because the date and the thirteen digits
 * come first, ids sort by the moment of their making: the feed's order is the primary key's.
 */
export function feedbackId(created: number, random: RandomBytes): string {
  return `${feedbackIdFloor(created)}${randomAlphanumeric(FEEDBACK_SUFFIX, random)}`;
}

/** The smallest id that feedback made at this moment (UTC ms) or later can have. */
export function feedbackIdFloor(created: number): string {
  return `EXPERIENCE_${utcDay(created)}_${String(created).padStart(13, '0')}_`;
}

/** The moment (UTC ms) that a feedback id carries. */
export function feedbackIdCreated(id: string): number {
  return Number(id.split('_')[2]);
}

// @__NO_SIDE_EFFECTS__
function id(pattern: RegExp, example: string) {
  return v.pipe(v.string(), v.regex(pattern, `Please give an id such as ${example}`));
}

const LONG = '[A-Za-z0-9]{4,40}';
export const accountIdSchema = id(new RegExp(`^ACCOUNT_${LONG}$`), 'ACCOUNT_…');
export const propertyIdSchema = id(new RegExp(`^PROPERTY_${LONG}$`), 'PROPERTY_…');
const FORM_ID = /^FORM_[A-Za-z0-9]{6}$/;
export const isFormId = (name: string): boolean => FORM_ID.test(name);
export const formIdSchema = id(FORM_ID, 'FORM_a1B2c3');
export const feedbackIdSchema = id(/^EXPERIENCE_\d{8}_\d{13}_[A-Za-z0-9]{5}$/, 'EXPERIENCE_20260101_1767225600000_a1B2c');
export const userIdSchema = id(/^USER_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'USER_…');
