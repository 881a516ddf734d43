import { createRequire } from 'node:module';
import { badField } from '#contract/core/errors.ts';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM, PASSWORD_WORDS } from '#contract/identity/identity.ts';
import { weakPassword } from '../errors.ts';

/*
 * Rejects new passwords that are too short, too long or easy to guess; there are no composition rules. Easy to guess are a
 * published list of some fifty thousand common passwords, runs, repetitions, dates, and common words with a few changes.
 */

interface CommonWords {
  /** The whole list, lowercase. */
  readonly common: ReadonlySet<string>;
  /** The head of the list, rejected with a few changes too. Further down, it has half the dictionary. */
  readonly commonest: ReadonlySet<string>;
}

const MOST_COMMON = 3_000;
/** The product's name, which is easy to guess. */
const PRODUCT = 'afterword';
const require = createRequire(import.meta.url);
let cachedWords: CommonWords | undefined;

/** Returns the words, which are read when the first password is checked: they take memory, and most processes check none. */
function words(): CommonWords {
  cachedWords ??= readWords();
  return cachedWords;
}

function readWords(): CommonWords {
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common');
  const list = dictionary['passwords-common'];
  return { common: new Set([PRODUCT, ...list]), commonest: new Set([PRODUCT, ...list.slice(0, MOST_COMMON)]) };
}

const TOO_SHORT = 'Password not long enough';
const TOO_LONG = 'Password too long';
const TOO_COMMON = 'Password too common';
const TOO_CLOSE = 'Password too close to the user';

/** Throws the pool's refusal if the password is weak; `personal` has words easily guessed from the person. */
export function checkNewPassword(password: string, personal: readonly string[]): void {
  const weakness = weaknessOf(password, personal);
  if (weakness) throw weakPassword(weakness);
}

/** Throws the data API's refusal of the field `password` if it is weak. */
export function requireStrong(password: string, personal: readonly string[]): void {
  const weakness = weaknessOf(password, personal);
  if (weakness) throw badField('password', PASSWORD_WORDS[weakness] ?? weakness);
}

function weaknessOf(password: string, personal: readonly string[]): string | undefined {
  // Counts characters, as people do, not UTF-16 units.
  const length = Array.from(password).length;
  if (length < PASSWORD_MINIMUM) return TOO_SHORT;
  if (length > PASSWORD_MAXIMUM) return TOO_LONG;
  if (isPersonal(password, personal)) return TOO_CLOSE;
  return isCommon(password) ? TOO_COMMON : undefined;
}

function isPersonal(password: string, personal: readonly string[]): boolean {
  const guessable = personal
    .flatMap((word) => [word, word.split('@')[0] ?? ''])
    .map(lettersOf)
    .filter((letters) => letters !== '');
  return guessable.includes(lettersOf(password));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  return words().common.has(plain) || isRepeated(plain) || isSequence(plain) || isDate(plain) || isVariantOfCommon(plain);
}

/** Matches `aaaaaaaa`, `abcabcabc`, `12341234` and a repeated common word. */
const isRepeated = (plain: string): boolean => {
  const [, unit = ''] = /^(.+?)\1+$/su.exec(plain) ?? [];
  return unit !== '' && (unit.length <= 4 || words().common.has(unit));
};

/** Sequences of the alphabet and of keyboards, in both directions. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];
const LINES = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
const MOST_RUNS = 3;
const SHORTEST_RUN = 3;

/** Matches at most three such runs and nothing else: `12345678`, `qwerty123456`. */
function isSequence(plain: string): boolean {
  let rest = plain;
  for (let runs = 0; runs < MOST_RUNS && rest !== ''; runs += 1) {
    const length = Math.max(...LINES.map((line) => runOf(rest, line)));
    if (length < SHORTEST_RUN) return false;
    rest = rest.slice(length);
  }
  return rest === '';
}

/** Returns the length of the text's longest prefix that appears in a line. */
function runOf(text: string, line: string): number {
  let length = 0;
  while (length < text.length && line.includes(text.slice(0, length + 1))) length += 1;
  return length;
}

const DATE = /^(?:(?:0?[1-9]|[12]\d|3[01])[./-]?(?:0?[1-9]|[12]\d|3[01])[./-]?(?:19|20)\d\d|(?:19|20)\d\d[./-]?\d{1,2}[./-]?\d{1,2})$/;
const isDate = (plain: string): boolean => DATE.test(plain);

/** Common substitutes for letters. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
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

/** Matches a common word with a few digits or symbols around it or in place of letters: `Summer2026!`, `p@ssw0rd`. */
function isVariantOfCommon(plain: string): boolean {
  const lettersOnly = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, lettersOnly]
    .filter((word) => word !== '' && plain.length - word.length <= MOST_ADDED)
    .some((word) => words().commonest.has(word) || words().commonest.has(undisguised(word)));
}

const undisguised = (word: string): string => Array.from(word, (character) => SUBSTITUTES[character] ?? character).join('');
