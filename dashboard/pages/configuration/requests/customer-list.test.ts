import { describe, expect, it } from 'vitest';
import { customerTable, guessFields, readList } from './customer-list.ts';

const AT = { now: Date.parse('2026-11-24T09:00:00Z'), zone: 'Europe/Lisbon' };

/** Returns what a list contains, by the fields that are guessed. */
const read = (text: string) => {
  const table = customerTable(text);
  const fields = guessFields(table);
  const { accepted, problems } = readList(table, fields, AT);
  return { fields, requests: accepted.map(({ request }) => request), problems };
};

describe('a list of customers', () => {
  it('can be addresses alone, one in each line', () => {
    expect(read('ana@mail.example\n\n BEN@mail.example \r\n')).toEqual({
      fields: ['email'],
      requests: [{ email: 'ana@mail.example' }, { email: 'ben@mail.example' }],
      problems: [],
    });
    expect(read('')).toEqual({ fields: [], requests: [], problems: [] });
  });

  it.each([',', ';', '\t'])('can have columns separated by %j, with headings', (separator) => {
    const text = [
      ['Guest name', 'Nights', 'E-mail', 'Checkout', 'Language'],
      ['Ana Lopes', '2', 'ana@mail.example', '2026-11-20', 'pt-BR'],
      ['"O’Brien, Jon"', '1', 'jon@mail.example', '2026-11-21', ''],
    ]
      .map((row) => row.join(separator))
      .join('\n');
    expect(read(text)).toEqual({
      fields: ['name', 'none', 'email', 'visited', 'language'],
      requests: [
        { email: 'ana@mail.example', name: 'Ana Lopes', language: 'pt', visited: Date.parse('2026-11-20T12:00:00Z') },
        { email: 'jon@mail.example', name: 'O’Brien, Jon', visited: Date.parse('2026-11-21T12:00:00Z') },
      ],
      problems: [],
    });
  });

  it('says what is wrong with a row, and reads the others', () => {
    const rows = [
      ['ana@mail.example', 'Ana', '2026-11-20', 'de'],
      ['ben', 'Ben', '2026-11-20', 'de'],
      ['', 'Cas', '2026-11-20', 'de'],
      ['dan@mail.example', 'www.win.example', '2026-11-20', 'de'],
      ['eva@mail.example', 'Eva', '2026-02-30', 'de'],
      ['fay@mail.example', 'Fay', '2025-11-20', 'de'],
      ['gus@mail.example', 'Gus', '2026-11-20', 'xx'],
      ['ida@mail.example', 'Ida', '2026-11-19', 'fr'],
    ];
    const { requests, problems } = read(rows.map((row) => row.join(';')).join('\n'));
    expect(requests.map(({ email }) => email)).toEqual(['ana@mail.example', 'ida@mail.example']);
    expect(problems).toEqual([
      { row: 2, message: '“ben” isn’t an email address' },
      { row: 3, message: 'There is no email address' },
      { row: 4, message: 'Enter a name without a link' },
      { row: 5, message: '“2026-02-30” isn’t a date, such as 2026-11-20' },
      { row: 6, message: 'Enter a visit at most 90 days from today' },
      { row: 7, message: '“xx” isn’t a language of the form, such as “de”' },
    ]);
  });

  it.each([
    [
      ['20.11.2026', '1.11.2026'],
      ['2026-11-20', '2026-11-01'],
    ],
    [
      ['20/11/2026', '01/11/2026'],
      ['2026-11-20', '2026-11-01'],
    ],
    [
      ['11/20/2026', '11/01/2026'],
      ['2026-11-20', '2026-11-01'],
    ],
    [
      ['2026-11-20 14:30', '2026-11-01T08:00'],
      ['2026-11-20', '2026-11-01'],
    ],
    // The order of day and month isn't clear.
    [['10/11/2026', '11/11/2026'], ['2026-11-11']],
    [
      ['20/11/2026', '11/20/2026'],
      ['2026-11-20', '2026-11-20'],
    ],
  ])('reads the dates %j', (dates, days) => {
    const { requests } = read(dates.map((date, index) => `c${index}@mail.example\t${date}`).join('\n'));
    expect(requests.flatMap(({ visited }) => (visited === undefined ? [] : new Date(visited).toISOString().slice(0, 10)))).toEqual(days);
  });
});
