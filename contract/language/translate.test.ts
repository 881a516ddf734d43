import { describe, expect, it } from 'vitest';
import { formatDecimal, formatPercent } from './formats.ts';
import { teamLanguageOf } from './team.ts';
import { piecesOf, translateMessage, translator } from './translate.ts';

const german = translator(() => ({
  language: 'de',
  words: {
    'Delete {name}': '{name} löschen',
    '{count} answers from {place}': { one: '{count} Antwort aus {place}', other: '{count} Antworten aus {place}' },
    'At most {1} characters in {2} lines': 'Höchstens {1} Zeichen in {2} Zeilen',
    'status: Open': 'Offen',
    Open: 'Öffnen',
  },
}));
const english = translator(() => ({ language: 'en' }));

describe('translating', () => {
  it('fills in names', () => {
    expect(english('Delete {name}', { name: 'Old Town' })).toBe('Delete Old Town');
    expect(german('Delete {name}', { name: 'Old Town' })).toBe('Old Town löschen');
  });

  it('doesn’t fill in names within values', () => {
    expect(english('Delete {name}', { name: '{name}' })).toBe('Delete {name}');
  });

  it('chooses the form for a count, in the language’s digits', () => {
    const answers = (t: typeof german, count: number) =>
      t.count(count, '{count} answer from {place}', '{count} answers from {place}', { place: 'Ulm' });
    expect([0, 1, 1200].map((count) => answers(english, count))).toEqual([
      '0 answers from Ulm',
      '1 answer from Ulm',
      '1,200 answers from Ulm',
    ]);
    expect([0, 1, 1200].map((count) => answers(german, count))).toEqual([
      '0 Antworten aus Ulm',
      '1 Antwort aus Ulm',
      '1.200 Antworten aus Ulm',
    ]);
  });

  it('distinguishes an ambiguous text by its context', () => {
    expect([german('Open'), german.in('status', 'Open'), english.in('status', 'Open')]).toEqual(['Öffnen', 'Offen', 'Open']);
  });

  it('translates messages of the server with their numbers', () => {
    expect(translateMessage(german, 'At most 1,000 characters in 2 lines')).toBe('Höchstens 1.000 Zeichen in 2 Zeilen');
    expect(translateMessage(german, 'At most 1,000 tags')).toBe('At most 1,000 tags');
    expect(translateMessage(english, 'At most 1,000 tags')).toBe('At most 1,000 tags');
  });

  it('writes decimals and percent in the language', () => {
    expect([formatDecimal(german, 5), formatPercent(german, 43), formatDecimal(english, 4.25), formatPercent(english, 43)]).toEqual([
      '5,0',
      '43\u00a0%',
      '4.3',
      '43%',
    ]);
  });

  it('keeps English where a translation is missing', () => {
    expect(german('Save')).toBe('Save');
  });

  it('splits a text at its marked parts', () => {
    expect(piecesOf('Read the <guide>guide</guide> or <a>ask</a>', ['guide', 'a'])).toEqual([
      { text: 'Read the ' },
      { text: 'guide', mark: 'guide' },
      { text: ' or ' },
      { text: 'ask', mark: 'a' },
    ]);
    expect(piecesOf('2 < 3', ['a'])).toEqual([{ text: '2 < 3' }]);
    expect(piecesOf('<name><b>Ann</b></name>!', ['name'])).toEqual([{ text: '<b>Ann</b>', mark: 'name' }, { text: '!' }]);
  });

  it('chooses the first preferred language that exists', () => {
    expect(teamLanguageOf(['fr', 'de-AT', 'en'])).toBe('de');
    expect(teamLanguageOf(['fr'])).toBe('en');
    expect(teamLanguageOf([])).toBe('en');
  });
});
