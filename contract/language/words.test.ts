import { describe, expect, it, vi } from 'vitest';
import { WORDS } from './all.ts';
import { LANGUAGE_TAGS, languageOf } from './languages.ts';
import { countIn, pluralIn } from './words.ts';

/** Returns every text of a language by its path. */
function pathsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => pathsOf(part, path === '' ? name : `${path}.${name}`));
}
/** Returns the names in braces, in order. */
const bracesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const english = new Map(pathsOf(WORDS.en));
const isPlural = (path: string): boolean => path.startsWith('page.tooLong.');
const sourceOf = (path: string): string => english.get(isPlural(path) ? 'page.tooLong.other' : path) ?? '';

/** The widest text that fits beside four others at 320 px, and the longest of a button in one or two lines, in characters. */
const LONGEST_RATING = 11;
const LONGEST_BUTTON = 32;
/** How much longer than English a text may be. A short word may be longer. */
const GROWTH = 1.8;
const FREE = 12;

describe.each(LANGUAGE_TAGS)('the words in %s', (tag) => {
  const texts = pathsOf(WORDS[tag]).filter(([path]) => path !== 'tag');

  it('are complete, trimmed, and fill in the same names', () => {
    for (const [path, text] of texts) {
      expect(text, path).toBe(text.trim());
      expect(text, path).not.toBe('');
      expect(bracesIn(text), path).toEqual(bracesIn(sourceOf(path)));
    }
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    expect(Object.keys(WORDS[tag].page.tooLong).sort()).toEqual([...categories].sort());
  });

  it('are about as long as in English', () => {
    for (const [path, text] of texts) expect(text.length, path).toBeLessThanOrEqual(sourceOf(path).length * GROWTH + FREE);
    for (const rating of WORDS[tag].page.ratings) expect(rating.length, rating).toBeLessThanOrEqual(LONGEST_RATING);
    expect(new Set(WORDS[tag].page.ratings).size).toBe(5);
    for (const button of [WORDS[tag].page.submit, WORDS[tag].page.send]) expect(button.length, button).toBeLessThanOrEqual(LONGEST_BUTTON);
  });

  it('differ from English', () => {
    if (tag === 'en') return;
    const same = texts.filter(([path, text]) => text.length > FREE && text === sourceOf(path)).map(([path]) => path);
    expect(same).toEqual([]);
  });
});

describe('a language', () => {
  it.each([
    ['pt-BR', 'pt'],
    ['DE-at', 'de'],
    ['iw', 'he'],
    ['zh', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['sr', undefined],
    ['*', undefined],
    ['not a tag', undefined],
  ] as const)('of the tag %s is %s', (tag, expected) => {
    expect(languageOf(tag)).toBe(expected);
  });

  it('is found by one look at each tag, however many a browser sends', () => {
    languageOf('en');
    const locale = vi.spyOn(Intl, 'Locale');
    for (const tag of ['xa', 'xb', 'xc', 'de-AT']) languageOf(tag);
    expect(locale).toHaveBeenCalledTimes(4);
    locale.mockRestore();
  });

  it('has its own plurals and digits', () => {
    const files = { one: '{count} plik', few: '{count} pliki', many: '{count} plików', other: '{count} pliku' };
    expect([1, 3, 5].map((count) => pluralIn('pl', files, count))).toEqual(['1 plik', '3 pliki', '5 plików']);
    expect(countIn('fa', 1234)).toBe('۱٬۲۳۴');
  });
});
