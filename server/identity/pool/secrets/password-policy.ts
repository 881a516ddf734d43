import { createRequire } from 'node:module';
import { badField } from '#contract/core/errors.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM, PASSWORD_WORDS } from '#contract/identity/identity.ts';
import { weakPassword } from '../errors.ts';

/*
 * What a new password may not be: too short, too long, or one that is tried first. Composition is nobody's
 * business. The commonest are known by a published list of some fifty thousand, by what that list leaves to rules (runs,
 * repetitions, dates), and by the few ways in which people dress up a word of the list.
 */

interface CommonWords {
  /** All of them, in lower case. */
  readonly common: ReadonlySet<string>;
  /** Those that people dress up. Further down, the list has half the dictionary. */
  readonly commonest: ReadonlySet<string>;
}

const COMMONEST = 3_000;
/** What everybody knows of where the password is for. */
const PRODUCT = 'afterword';
const require = createRequire(import.meta.url);
let read: CommonWords | undefined;

/** Read when the first password is checked: it takes some memory, and most processes check none. */
function words(): CommonWords {
  read ??= readWords();
  return read;
}

function readWords(): CommonWords {
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common');
  const list = dictionary['passwords-common'];
  return { common: new Set([PRODUCT, ...list]), commonest: new Set([PRODUCT, ...list.slice(0, COMMONEST)]) };
}

const TOO_SHORT = 'Password not long enough';
const TOO_LONG = 'Password too long';
const TOO_COMMON = 'Password too common';
const TOO_CLOSE = 'Password too close to the user';

/** Refuses a weak password as the pool does; `personal` are words that everybody knows of the person. */
export function checkNewPassword(password: string, personal: readonly string[]): void {
  const weakness = weaknessOf(password, personal);
  if (weakness) throw weakPassword(weakness);
}

/** The same for the data API: a refusal of the field `password`. */
export function requireStrong(password: string, personal: readonly string[]): void {
  const weakness = weaknessOf(password, personal);
  if (weakness) throw badField('password', PASSWORD_WORDS[weakness] ?? weakness);
}

function weaknessOf(password: string, personal: readonly string[]): string | undefined {
  // Counted in characters, as people do.
  const length = Array.from(password).length;
  if (length < PASSWORD_MINIMUM) return TOO_SHORT;
  if (length > PASSWORD_MAXIMUM) return TOO_LONG;
  if (isPersonal(password, personal)) return TOO_CLOSE;
  return isCommon(password) ? TOO_COMMON : undefined;
}

function isPersonal(password: string, personal: readonly string[]): boolean {
  const known = personal
    .flatMap((word) => [word, word.split('@')[0] ?? ''])
    .map(lettersOf)
    .filter((letters) => letters !== '');
  return known.includes(lettersOf(password));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  return words().common.has(plain) || isRepeated(plain) || isRun(plain) || isDate(plain) || isDressedUp(plain);
}

/** `aaaaaaaa`, `abcabcabc`, `12341234`; a common word over and over. */
const isRepeated = (plain: string): boolean => {
  const [, unit = ''] = /^(.+?)\1+$/su.exec(plain) ?? [];
  return unit !== '' && (unit.length <= 4 || words().common.has(unit));
};

/** As the keys lie, as the alphabet goes, and back. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];
const LINES = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
const MOST_RUNS = 3;
const SHORTEST_RUN = 3;

/** Made of at most three such runs and nothing else: `12345678`, `qwerty123456`. */
function isRun(plain: string): boolean {
  let rest = plain;
  for (let runs = 0; runs < MOST_RUNS && rest !== ''; runs += 1) {
    const length = Math.max(...LINES.map((line) => runOf(rest, line)));
    if (length < SHORTEST_RUN) return false;
    rest = rest.slice(length);
  }
  return rest === '';
}

/** How much of the text's beginning stands in a line like that. */
function runOf(text: string, line: string): number {
  let length = 0;
  while (length < text.length && line.includes(text.slice(0, length + 1))) length += 1;
  return length;
}

const DATE = /^(?:(?:0?[1-9]|[12]\d|3[01])[./-]?(?:0?[1-9]|[12]\d|3[01])[./-]?(?:19|20)\d\d|(?:19|20)\d\d[./-]?\d{1,2}[./-]?\d{1,2})$/;
const isDate = (plain: string): boolean => DATE.test(plain);

/** What people write for a letter. */
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const MOST_ADDED = 6;

/** A common word with a few digits or signs around it, or in place of letters: `Summer2026!`, `p@ssw0rd`. */
function isDressedUp(plain: string): boolean {
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, bare]
    .filter((word) => word !== '' && plain.length - word.length <= MOST_ADDED)
    .some((word) => words().commonest.has(word) || words().commonest.has(undisguised(word)));
}

const undisguised = (word: string): string => Array.from(word, (sign) => DISGUISES[sign] ?? sign).join('');
