/* What a search for words finds (docs/rules.md#search). The database searches by an index, the demo and the marks in a text by these. */

/** A word or a phrase that must be there. */
export interface SearchTerm {
  readonly words: string;
  /** Whether the last word may go on: "coff" finds coffee. What stands in quotes is meant as it stands. */
  readonly isPrefix: boolean;
}

const PARTS = /["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\s"“”„«»]+)/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** The parts of a search, all of which must be found. Empty where it has no letter and no digit: then nothing is. */
export const termsOf = (search: string): SearchTerm[] =>
  [...search.matchAll(PARTS)].flatMap(([, phrase, word]) => {
    const words = phrase ?? word ?? '';
    return HAS_WORD.test(words) ? [{ words, isPrefix: phrase === undefined }] : [];
  });

/** Accents over Latin, Greek and Cyrillic letters; marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]/gu;
/** Chinese and Japanese write no spaces: each sign is a word. */
const SIGN = '[\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff]';
const WORD = new RegExp(`${SIGN}|(?:(?!${SIGN})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

const folded = (text: string): string => text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();

interface FoundWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a text in their order, folded: without case and accents; and where each stands (UTF-16 units). */
export const wordsIn = (text: string): FoundWord[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: folded(word), from: index, to: index + word.length }));

/** Where a term stands among words: at which of them each time begins. */
function placesOf(words: readonly string[], { words: wanted, isPrefix }: SearchTerm): number[] {
  const sequence = wordsIn(wanted).map(({ word }) => word);
  const isAt = (start: number) =>
    sequence.every((word, offset) => {
      const here = words[start + offset];
      return here !== undefined && (isPrefix ? here.startsWith(word) : here === word);
    });
  return words.flatMap((_, start) => (isAt(start) ? [start] : []));
}

/** Whether every part of a search is found in a text. */
export function matchesSearch(text: string, search: string): boolean {
  const terms = termsOf(search);
  const words = wordsIn(text).map(({ word }) => word);
  return terms.length > 0 && terms.every((term) => placesOf(words, term).length > 0);
}

/** The stretches of a text that a search found, in their order: where each begins and ends (UTF-16 units). */
export function matchRanges(text: string, search: string): { from: number; to: number }[] {
  const words = wordsIn(text);
  const spelled = words.map(({ word }) => word);
  const found = new Set(
    termsOf(search).flatMap((term) => {
      const length = wordsIn(term.words).length;
      return placesOf(spelled, term).flatMap((start) => Array.from({ length }, (_, offset) => start + offset));
    }),
  );
  return words.filter((_, place) => found.has(place)).map(({ from, to }) => ({ from, to }));
}
