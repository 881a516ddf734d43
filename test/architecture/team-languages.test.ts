import { describe, expect, it } from 'vitest';
import de from '#contract/language/team/de.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import type { TeamWords } from '#contract/language/translate.ts';
import { isTest, readSources, toSource } from './sources.ts';
import { readMessages, readTexts } from './texts.ts';

const LANGUAGES: Readonly<Record<Exclude<TeamLanguage, 'en'>, TeamWords>> = { de };

const sources = readSources().filter(({ file }) => !isTest(file) && !file.startsWith('contract/language/team/'));
const { texts, mistakes } = readTexts(sources);
const messages = readMessages(sources.filter(({ file }) => /^(?:contract|server|dashboard\/session)\//.test(file)));

describe('the texts of the dashboard and mails', () => {
  it('are literal, and translated once the language is known', () => {
    expect(texts.size).toBeGreaterThan(1_000);
    expect(mistakes).toEqual([]);
  });

  it('are found by every way to translate them', () => {
    const read = (text: string) => readTexts([toSource('dashboard/a.tsx', text)]);
    const good = `const A = translatable({ a: 'One', b: ['Two'] }); const B = () => [t('Three {n}', { n }), t(x ? 'Four' : 'Five'), t.in('c', 'Six'), t.count(n, 'A', 'B')];`;
    expect([...read(good).texts.keys()]).toEqual(['One', 'Two', 'Three {n}', 'Four', 'Five', 'c: Six', 'B']);
    expect(read(good).mistakes).toEqual([]);
    expect(read(`const a = t('Top');`).mistakes).toHaveLength(1);
    expect(read(`const a = () => t(\`Hi \${name}\`);`).mistakes).toHaveLength(1);
    expect(read('const a = () => t.count(n, one, many);').mistakes).toHaveLength(1);
  });

  it.each(Object.entries(LANGUAGES))('are all translated into %s', (_language, words) => {
    expect([...texts.keys()].filter((key) => !(key in words))).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('have no translation into %s that nothing uses', (_language, words) => {
    expect(Object.keys(words).filter((key) => !texts.has(key) && !messages.has(key))).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('have the same names and marks in %s', (_language, words) => {
    const wrong = Object.entries(words).filter(([key, translated]) => {
      const english = texts.get(key) ?? key;
      return formsOf(translated).some((form) => !formsOf(english).some((text) => namesOf(text) === namesOf(form)));
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it.each(Object.entries(LANGUAGES))('have a form for each plural category of %s', (language, words) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wrong = [...texts].filter(([key, english]) => {
      const translated = words[key];
      if (translated === undefined) return false;
      return typeof english === 'string'
        ? typeof translated !== 'string'
        : categories.some((category) => !(category in Object(translated)));
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });
});

const formsOf = (text: TeamWords[string]): string[] => (typeof text === 'string' ? [text] : Object.values(text));
/** The form for one may spell out the count. */
const namesOf = (text: string): string => [...new Set(text.replace('{count}', '').match(/\{\w+\}|<\/?\w+>/g))].sort().join(' ');
