import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contactFormatProblems, contactProblems, plainPhone } from './contact.ts';
import { feedbackId, feedbackIdCreated, feedbackIdFloor, formId, formIdSchema, randomAlphanumeric } from './ids.ts';
import { displayName, email, lineOfText, text, zone } from './schema.ts';

const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
const messageOf = (schema: v.GenericSchema, input: unknown): string | undefined => v.safeParse(schema, input).issues?.[0]?.message;

describe('an email address for sign-in', () => {
  it.each(['dana@harbor.test', 'a.b-c_d@sub.example.co', '1@x.info'])('accepts %s', (address) => {
    expect(v.parse(email, address)).toBe(address);
  });

  it.each(['', 'dana', '.dana@x.com', 'dana@x', 'dana@x.museum', 'da na@x.com', 'dana+tag@x.com', 'dana@@x.com', 'ünï@x.com'])(
    'refuses %s',
    (address) => {
      expect(messageOf(email, address)).toBe('Please enter a valid email');
    },
  );

  it('is lowercased', () => {
    expect(v.parse(email, ' Dana@Harbor.Test ')).toBe('dana@harbor.test');
  });
});

describe('names and texts', () => {
  it('accept company names of 1 to 30 letters, digits, spaces, underscores and hyphens', () => {
    expect(v.parse(displayName, ' Harbor Coffee ')).toBe('Harbor Coffee');
    for (const name of ['', '   ', 'x'.repeat(31), 'a/b']) expect(v.safeParse(displayName, name).success).toBe(false);
  });

  it('of one line are as long as their composed form, which the database checks', () => {
    const letter = '\u0958'; // Composed, it is two characters.
    expect(v.parse(lineOfText(4), `${letter} a`)).toBe(`${letter.normalize('NFC')} a`);
    expect(messageOf(lineOfText(4), letter.repeat(3))).toBe('At most 4 characters');
    expect(v.parse(lineOfText(20), ' Slow \n service ')).toBe('Slow service');
  });

  it('accept letters, marks and digits of any script, normalized and counted as people see them', () => {
    for (const name of ['José', 'Café Olé', 'Zoë', 'Müller', '東京', 'Кафе', 'हिन्दी', 'مقهى ٤', 'がき'])
      expect(v.parse(displayName, name)).toBe(name.normalize('NFC'));
    expect(v.parse(displayName, 'Cafe\u0301')).toBe('Café');
    expect(v.parse(displayName, 'हि'.repeat(30))).toHaveLength(60);
    expect(messageOf(displayName, 'हि'.repeat(31))).toBe('At most 30 characters');
    expect(messageOf(displayName, `a${'\u0301'.repeat(300)}`)).toBe('At most 200 characters');
  });

  it('refuse characters that PostgreSQL can’t store', () => {
    expect(messageOf(text(10), 'a\0')).toBe('Remove characters that can’t be stored');
    expect(messageOf(text(10), '\udc00')).toBe('Remove characters that can’t be stored');
    expect(v.parse(text(10), '👋')).toBe('👋');
  });

  it('accept only time zones that exist', () => {
    expect(v.safeParse(zone, 'Europe/Lisbon').success).toBe(true);
    expect(v.safeParse(zone, 'Mars/Olympus').success).toBe(false);
  });
});

describe('a visitor’s contact', () => {
  it('is required only after a Yes', () => {
    expect(contactProblems({ answer: 'No' })).toEqual([]);
    expect(contactProblems({ answer: 'Yes' })[0]?.field).toBe('phone');
    expect(contactProblems({ answer: 'Yes', phone: '  ', email: ' ' })[0]?.field).toBe('phone');
  });

  it('may be empty if it was left before, but not malformed', () => {
    expect(contactFormatProblems({ answer: 'Yes' })).toEqual([]);
    expect(contactFormatProblems({ answer: 'Yes', phone: '12' })[0]?.field).toBe('phone');
  });

  it.each([
    [{ phone: '+49 (40) 123-45' }, undefined],
    [{ phone: '12' }, 'phone'],
    [{ phone: 'call me' }, 'phone'],
    [{ email: 'weird+tag@grüße.example' }, undefined],
    [{ email: 'a@b' }, 'email'],
    [{ email: 'a b@c.de' }, 'email'],
  ])('reports the wrong field of %j', (fields, field) => {
    expect(contactProblems({ answer: 'Yes', ...fields })[0]?.field).toBe(field);
  });
});

describe('a phone number', () => {
  it.each([
    ['٠٤٠ ١٢٣٤٥', '040 12345'],
    ['۰۴۰-۱۲۳۴۵', '040-12345'],
    ['०४० १२३४५', '040 12345'],
    ['＋４９（４０）１２３', '+49(40)123'],
    ['\u202a+49 40 123\u202c', '+49 40 123'],
    ['+49 40 123', '+49 40 123'],
  ])('accepts %s in the digits of its script', (typed, plain) => {
    expect(plainPhone(typed)).toBe(plain);
    expect(contactProblems({ answer: 'Yes', phone: typed })).toEqual([]);
  });

  it('converts every digit of Unicode', () => {
    const digits = Array.from({ length: 0x110000 }, (_, at) => at)
      .filter((at) => (at < 0xd800 || at > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(at)))
      .map((at) => String.fromCodePoint(at));
    expect(digits.length).toBeGreaterThan(600);
    // The digits of a script are adjacent and in order.
    expect(digits.map(plainPhone).join('')).toBe('0123456789'.repeat(digits.length / 10));
  });

  it('is reported together with a wrong email', () => {
    expect(contactProblems({ answer: 'Yes', phone: '12', email: 'nobody' }).map(({ field }) => field)).toEqual(['phone', 'email']);
  });
});

describe('ids', () => {
  it('have their prefix and length', () => {
    expect(v.safeParse(formIdSchema, formId(random)).success).toBe(true);
    expect(feedbackId(Date.UTC(2026, 0, 2, 3), random)).toMatch(/^EXPERIENCE_20260102_1767322800000_[A-Za-z0-9]{5}$/);
  });

  it('of feedback sort by creation time', () => {
    const [early, late] = [feedbackId(Date.UTC(2026, 0, 31, 23, 59), random), feedbackId(Date.UTC(2026, 1, 1), random)];
    expect(early < late).toBe(true);
    expect(feedbackIdFloor(feedbackIdCreated(late)) <= late).toBe(true);
  });

  it('use each letter equally often', () => {
    const counts = new Map<string, number>();
    for (const letter of randomAlphanumeric(62_000, (size) => Uint8Array.from({ length: size }, (_, index) => index % 256))) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(62);
    expect(counts.size).toBe(62);
  });
});
