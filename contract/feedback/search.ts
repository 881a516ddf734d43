/* The text search (docs/rules.md#search). The database uses an index; the demo and the highlights in a text use these functions. */

/** A word or a phrase that must match. */
interface SearchTerm {
  readonly words: string;
  /** True if a word may continue: "coff" matches coffee. A quoted phrase matches only whole words. */
  readonly isPrefix: boolean;
}

const PARTS = /["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\s"“”„«»]+)/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** Returns the parts of a search, all of which must match. Without a letter or a digit there are none, and nothing matches. */
export const termsOf = (search: string): SearchTerm[] =>
  [...search.matchAll(PARTS)].flatMap(([, phrase, word]) => {
    const words = phrase ?? word ?? '';
    return HAS_WORD.test(words) ? [{ words, isPrefix: phrase === undefined }] : [];
  });

/** Accents over Latin, Greek and Cyrillic letters; marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]/gu;
/** Chinese and Japanese are written without spaces, so each character is a word. */
const SIGN = '[\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff]';
const WORD = new RegExp(`${SIGN}|(?:(?!${SIGN})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Returns a text without case and accents. */
export const folded = (text: string): string => text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();

interface TextWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the words of a text in order, without case and accents, and with their positions (UTF-16 units). */
export const wordsIn = (text: string): TextWord[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: folded(word), from: index, to: index + word.length }));

/** Returns the indexes of the words at which a term starts. */
export function placesOf(words: readonly string[], { words: searched, isPrefix }: SearchTerm): number[] {
  const sequence = wordsIn(searched).map(({ word }) => word);
  const isAt = (start: number) =>
    sequence.every((word, offset) => {
      const candidate = words[start + offset];
      return candidate !== undefined && (isPrefix ? candidate.startsWith(word) : candidate === word);
    });
  return words.flatMap((_, start) => (isAt(start) ? [start] : []));
}

/** Returns whether a text matches every part of a search. */
export function matchesSearch(text: string, search: string): boolean {
  const terms = termsOf(search);
  const words = wordsIn(text).map(({ word }) => word);
  return terms.length > 0 && terms.every((term) => placesOf(words, term).length > 0);
}

/** Returns the ranges of a text that match a search, in order (UTF-16 units). */
export function matchRanges(text: string, search: string): { from: number; to: number }[] {
  const words = wordsIn(text);
  const foldedWords = words.map(({ word }) => word);
  const matched = new Set(
    termsOf(search).flatMap((term) => {
      const length = wordsIn(term.words).length;
      return placesOf(foldedWords, term).flatMap((start) => Array.from({ length }, (_, offset) => start + offset));
    }),
  );
  return words.filter((_, place) => matched.has(place)).map(({ from, to }) => ({ from, to }));
}
