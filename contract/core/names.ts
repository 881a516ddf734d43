import { inEnglish, translatable, type Untranslated } from '../language/translate.ts';

/* The names of companies and people (docs/rules.md#names). */

/** Letters, marks and digits of any script, space, underscore, hyphen. */
const ACCEPTED = /^[\p{L}\p{M}\p{N} _-]*$/u;
/** Characters of a name, as people see them. @limit name-length */
export const LONGEST_NAME = 30;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const charactersOf = (text: string): string[] => [...characters.segment(text)].map(({ segment }) => segment);

/** Returns how many characters people see: é is one and so is 👩‍🍳, however they are encoded. */
export const lengthOf = (value: string): number => charactersOf(value).length;

interface NamedRecord {
  readonly id: string;
  readonly data: { readonly displayName: string; readonly created: number };
}

/** Compares names as people order them, in any language and case: Table 2 before Table 10, and Ä before B. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true });

/** Compares records by name, and those with the same name by age. */
export const byDisplayName = (a: NamedRecord, b: NamedRecord): number =>
  compareNames(a.data.displayName, b.data.displayName) || a.data.created - b.data.created || (a.id < b.id ? -1 : 1);

/** Characters with their name and their replacement. The first match counts. */
const REPLACEMENTS: readonly (readonly [characters: RegExp, words: Untranslated, spelling: string])[] = [
  [/^['’‘`´]$/, translatable('an apostrophe'), ''],
  [/^[&＆]$/, translatable('an ampersand'), ' and '],
  [/^[+＋]$/, translatable('a plus sign'), ' and '],
  [/^[@＠]$/, translatable('an at sign'), ' at '],
  [/^[.．。]$/, translatable('a period'), ''],
  [/^[,，、]$/, translatable('a comma'), ' '],
  [/^[:：]$/, translatable('a colon'), ' '],
  [/^[;；]$/, translatable('a semicolon'), ' '],
  [/^[!！¡]$/, translatable('an exclamation mark'), ''],
  [/^[?？¿]$/, translatable('a question mark'), ''],
  [/^["“”„«»]$/, translatable('a quotation mark'), ''],
  [/^[/／]$/, translatable('a slash'), '-'],
  [/^\\$/, translatable('a backslash'), '-'],
  [/^\|$/, translatable('a vertical bar'), '-'],
  [/^\p{Pd}$/u, translatable('a dash'), '-'],
  [/^[()（）]$/, translatable('a parenthesis'), ' '],
  [/^[[\]{}<>]$/, translatable('a bracket'), ' '],
  [/^\*$/, translatable('an asterisk'), ''],
  [/^#$/, translatable('a number sign'), ''],
  [/^%$/, translatable('a percent sign'), ''],
  [/^=$/, translatable('an equals sign'), ' '],
  [/^[·•]$/, translatable('a dot'), ' '],
  [/^\p{Sc}$/u, translatable('a currency sign'), ''],
  [/^[\p{Z}\t\r\n]+$/u, translatable('an invisible character'), ' '],
  [/^\p{C}+$/u, translatable('an invisible character'), ''],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}/u, translatable('an emoji'), ''],
];

/** Returns why a name's characters aren't accepted, with the nearest accepted spelling; undefined if they are. */
export function characterProblem(name: string): string | undefined {
  const first = charactersOf(name).find((character) => !ACCEPTED.test(character));
  if (first === undefined) return undefined;
  const spelling = nearestSpelling(name);
  return `Names can't contain ${nameOf(first)}.${spelling === undefined ? '' : ` Try ${spelling}.`}`;
}

/** Returns undefined if the spelling would be empty or too long. */
function nearestSpelling(name: string): string | undefined {
  const spelling = charactersOf(name)
    .map((character) => (ACCEPTED.test(character) ? character : (replacementOf(character)?.[2] ?? '')))
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ -]+|[ -]+$/g, '')
    .normalize('NFC');
  return spelling !== '' && lengthOf(spelling) <= LONGEST_NAME ? spelling : undefined;
}

function nameOf(character: string): string {
  const words = replacementOf(character)?.[1];
  return words === undefined ? `‘${character}’` : inEnglish(words);
}

const replacementOf = (character: string) => REPLACEMENTS.find(([characters]) => characters.test(character));

/** What mail programs make clickable: a web address, a host or an email address. */
const LINK = /[@/:\\<>]|[\p{L}\p{N}]{2}\.[\p{L}\p{N}]{2}/u;

/** Returns whether a text could become a link in an email. Stricter than needed: it refuses any two letters, a dot and two more. */
export const hasLink = (text: string): boolean => LINK.test(text);

/** Returns the first letters of a name's first and last word, for a person without a picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
