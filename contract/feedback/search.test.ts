import { describe, expect, it } from 'vitest';
import { matchesSearch, matchRanges, termsOf } from './search.ts';

const TEXT = 'Café crème was cold; the waiter didn’t come for 40 minutes. 東京駅で待った';

describe('a search', () => {
  it.each([
    ['cafe', 'accents are folded'],
    ['CRÈME cold', 'all words, in any order and case'],
    ['wait', 'a beginning'],
    ['"was cold"', 'a phrase'],
    ['“was cold” 40', 'a phrase and a word'],
    ['didn’t', 'a word with an apostrophe'],
    ["didn't", 'the other apostrophe'],
    ['東京', 'adjacent characters'],
    ['"the waiter', 'a quote that is not closed'],
  ])('for %s matches: %s', (search) => {
    expect(matchesSearch(TEXT, search)).toBe(true);
  });

  it.each([
    ['aiter', 'the middle of a word'],
    ['"wait"', 'a beginning in quotes'],
    ['"cold was"', 'words in another order'],
    ['cafe tea', 'a word that is not there'],
    ['京東', 'characters in another order'],
    ['%', 'no word'],
    ['""', 'nothing'],
    ['😡', 'no word'],
  ])('for %s doesn’t match: %s', (search) => {
    expect(matchesSearch(TEXT, search)).toBe(false);
  });

  it('is split into words and phrases', () => {
    expect(termsOf('  too "very loud" mu-sic ')).toEqual([
      { words: 'too', isPrefix: true },
      { words: 'very loud', isPrefix: false },
      { words: 'mu-sic', isPrefix: true },
    ]);
  });

  it('returns where it matches', () => {
    const pieces = (search: string) => matchRanges(TEXT, search).map(({ from, to }) => TEXT.slice(from, to));
    expect(pieces('cafe "was cold"')).toEqual(['Café', 'was', 'cold']);
    expect(pieces('w')).toEqual(['was', 'waiter']);
    expect(pieces('%')).toEqual([]);
  });
});
