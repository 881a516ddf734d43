import { describe, expect, it } from 'vitest';
import type { Rating } from '../feedback/rating.ts';
import { matchesSearch } from '../feedback/search.ts';
import { FEWEST_TEXTS, FEWEST_WITH_WORD, LONGEST_READ, MOST_WORDS, type RatedText, standoutWords } from './words.ts';

const visits = (rating: Rating, ...texts: string[]): RatedText[] => texts.map((text) => ({ rating, text }));
const times = (count: number, rating: Rating, text: string): RatedText[] => Array.from({ length: count }, () => ({ rating, text }));
const wordsOf = (list: readonly { words: string }[]) => list.map(({ words }) => words);

describe('the words that stand out', () => {
  const usual = [...times(20, 5, 'Lovely coffee'), ...times(10, 1, 'Bitter coffee'), ...times(5, 3, 'Coffee')];

  it('are on one side, not on both', () => {
    const { pieces, bad, good } = standoutWords(usual);
    expect(pieces).toEqual({ bad: 10, good: 20 });
    expect(bad).toEqual([{ words: 'bitter coffee', bad: 10, good: 0 }]);
    expect(good).toEqual([{ words: 'lovely coffee', bad: 0, good: 20 }]);
  });

  it('count a text once, however often it has the word', () => {
    const { bad } = standoutWords([...usual, ...times(4, 2, 'queue and queue, AND QUEUE')]);
    expect(bad).toContainEqual({ words: 'queue', bad: 4, good: 0 });
  });

  it('are folded like the search, shown as written, and found by it', () => {
    const texts = [...usual, ...visits(1, 'Das CAFÉ, schmutzig', 'cafe', 'Café', 'das cafe')];
    const word = standoutWords(texts).bad.find(({ words }) => words === 'café');
    expect(word).toEqual({ words: 'café', bad: 4, good: 0 });
    expect(texts.filter(({ text }) => matchesSearch(text, '"café"')).length).toBe(4);
  });

  it('exclude stop words and phrases that start with one, but not "not"', () => {
    const { bad } = standoutWords([...usual, ...times(6, 1, 'It was not clean'), ...times(6, 1, 'they would have been')]);
    expect(wordsOf(bad)).toContain('not clean');
    expect(wordsOf(bad).filter((words) => /^(it|was|they|would|have|been)\b/.test(words))).toEqual([]);
  });

  it('are two Chinese or Japanese characters rather than one', () => {
    expect(wordsOf(standoutWords([...usual, ...times(5, 1, '高い')]).bad)).toContain('高 い');
    expect(wordsOf(standoutWords([...usual, ...times(5, 1, '高い')]).bad)).not.toContain('高');
  });

  it('are listed once if the same texts have them', () => {
    const { bad } = standoutWords([...usual, ...times(5, 1, 'Music kept getting louder'), ...times(5, 2, 'Louder! Sticky floor')]);
    expect(wordsOf(bad).filter((words) => /music|kept|getting/.test(words))).toHaveLength(1);
  });

  it('need enough texts on either side, and enough with the word', () => {
    const tooFewTexts = [...times(FEWEST_TEXTS - 1, 1, 'Bitter'), ...times(50, 5, 'Lovely')];
    expect(standoutWords(tooFewTexts)).toEqual({ pieces: { bad: FEWEST_TEXTS - 1, good: 50 }, bad: [], good: [] });
    expect(standoutWords([...tooFewTexts, ...visits(1, 'Bitter')]).bad).toEqual([{ words: 'bitter', bad: FEWEST_TEXTS, good: 0 }]);
    const rare = [...usual, ...times(FEWEST_WITH_WORD - 1, 1, 'wasps')];
    expect(wordsOf(standoutWords(rare).bad)).not.toContain('wasps');
    expect(wordsOf(standoutWords([...rare, ...visits(1, 'Wasps')]).bad)).toContain('wasps');
  });

  it('are the clearest few, in the same order for any order of the texts', () => {
    const texts = Array.from({ length: 40 }, (_, place) => times(3 + (place % 5), place % 2 === 0 ? 1 : 5, `word${place}`)).flat();
    const { bad, good } = standoutWords(texts);
    expect([bad.length, good.length]).toEqual([MOST_WORDS, MOST_WORDS]);
    expect(standoutWords(texts.toReversed())).toEqual(standoutWords(texts));
    expect(bad[0]?.bad).toBe(7);
  });

  it('are searched only at the beginning of a long text', () => {
    const long = `${'well '.repeat(LONGEST_READ / 5)}wasps`;
    expect(wordsOf(standoutWords([...usual, ...times(6, 1, long)]).bad)).not.toContain('wasps');
  });
});
