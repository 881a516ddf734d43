/* The names of companies and people (docs/rules.md#names). */

/** Letters, marks and digits of any script, space, underscore, hyphen. */
const ACCEPTED = /^[\p{L}\p{M}\p{N} _-]*$/u;
export const LONGEST_NAME = 30;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const charactersOf = (text: string): string[] => [...characters.segment(text)].map(({ segment }) => segment);

/** Returns how many characters people see: é is one and so is 👩‍🍳, however they are encoded. */
export const lengthOf = (value: string): number => charactersOf(value).length;

/** Characters with their name and their replacement. The first match counts. */
const REPLACEMENTS: readonly (readonly [characters: RegExp, words: string, spelling: string])[] = [
  [/^['’‘`´]$/, 'an apostrophe', ''],
  [/^[&＆]$/, 'an ampersand', ' and '],
  [/^[+＋]$/, 'a plus sign', ' and '],
  [/^[@＠]$/, 'an at sign', ' at '],
  [/^[.．。]$/, 'a period', ''],
  [/^[,，、]$/, 'a comma', ' '],
  [/^[:：]$/, 'a colon', ' '],
  [/^[;；]$/, 'a semicolon', ' '],
  [/^[!！¡]$/, 'an exclamation mark', ''],
  [/^[?？¿]$/, 'a question mark', ''],
  [/^["“”„«»]$/, 'a quotation mark', ''],
  [/^[/／]$/, 'a slash', '-'],
  [/^\\$/, 'a backslash', '-'],
  [/^\|$/, 'a vertical bar', '-'],
  [/^\p{Pd}$/u, 'a dash', '-'],
  [/^[()（）]$/, 'a parenthesis', ' '],
  [/^[[\]{}<>]$/, 'a bracket', ' '],
  [/^\*$/, 'an asterisk', ''],
  [/^#$/, 'a number sign', ''],
  [/^%$/, 'a percent sign', ''],
  [/^=$/, 'an equals sign', ' '],
  [/^[·•]$/, 'a dot', ' '],
  [/^\p{Sc}$/u, 'a currency sign', ''],
  [/^[\p{Z}\t\r\n]+$/u, 'an invisible character', ' '],
  [/^\p{C}+$/u, 'an invisible character', ''],
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}/u, 'an emoji', ''],
];

/** Returns why a name's characters aren't accepted, with the nearest accepted spelling; undefined if they are. */
export function characterProblem(name: string): string | undefined {
  const first = charactersOf(name).find((character) => !ACCEPTED.test(character));
  if (first === undefined) return undefined;
  const spelling = nearestSpelling(name);
  return `Names can't contain ${replacementOf(first)?.[1] ?? `‘${first}’`}.${spelling === undefined ? '' : ` Try ${spelling}.`}`;
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

const replacementOf = (character: string) => REPLACEMENTS.find(([characters]) => characters.test(character));

/** What mail programs make clickable: a web address, a host or an email address. */
const LINK = /[@/:\\<>]|[\p{L}\p{N}]{2}\.[\p{L}\p{N}]{2}/u;

/** Returns whether a text could become a link in an email. Stricter than needed: it refuses any two letters, a dot and two more. */
export const hasLink = (text: string): boolean => LINK.test(text);
