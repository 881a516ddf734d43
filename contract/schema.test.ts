import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contactFormatProblem, contactProblem } from './contact.ts';
import { feedbackId, feedbackIdCreated, feedbackIdFloor, formId, formIdSchema, randomAlphanumeric } from './ids.ts';
import { displayName, email, text, zone } from './schema.ts';

const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
const messageOf = (schema: v.GenericSchema, input: unknown): string | undefined => v.safeParse(schema, input).issues?.[0]?.message;

describe('an address for signing in', () => {
  it.each(['dana@harbor.test', 'a.b-c_d@sub.example.co', '1@x.info'])('may be %s', (address) => {
    expect(v.parse(email, address)).toBe(address);
  });

  it.each(['', 'dana', '.dana@x.com', 'dana@x', 'dana@x.museum', 'da na@x.com', 'dana+tag@x.com', 'dana@@x.com', 'ünï@x.com'])(
    'may not be %s',
    (address) => {
      expect(messageOf(email, address)).toBe('Please enter a valid email');
    },
  );

  it('is lower-cased', () => {
    expect(v.parse(email, ' Dana@Harbor.Test ')).toBe('dana@harbor.test');
  });
});

describe('names and texts', () => {
  it('of a company have 1 to 30 letters, digits, spaces, underscores and hyphens', () => {
    expect(v.parse(displayName, ' Harbor Coffee ')).toBe('Harbor Coffee');
    for (const name of ['', '   ', 'x'.repeat(31), 'Café', 'a/b']) expect(v.safeParse(displayName, name).success).toBe(false);
  });

  it('hold only what PostgreSQL can store', () => {
    expect(messageOf(text(10), 'a\0')).toBe('Please remove characters that cannot be stored');
    expect(messageOf(text(10), '\udc00')).toBe('Please remove characters that cannot be stored');
    expect(v.parse(text(10), '👋')).toBe('👋');
  });

  it('name a zone that exists', () => {
    expect(v.safeParse(zone, 'Europe/Lisbon').success).toBe(true);
    expect(v.safeParse(zone, 'Mars/Olympus').success).toBe(false);
  });
});

describe('a visitor’s contact', () => {
  it('is asked for only when it is wanted', () => {
    expect(contactProblem({ answer: 'No' })).toBeUndefined();
    expect(contactProblem({ answer: 'Yes' })?.field).toBe('phone');
    expect(contactProblem({ answer: 'Yes', phone: '  ', email: ' ' })?.field).toBe('phone');
  });

  it('may say nothing where it was left before, and nothing wrong', () => {
    expect(contactFormatProblem({ answer: 'Yes' })).toBeUndefined();
    expect(contactFormatProblem({ answer: 'Yes', phone: '12' })?.field).toBe('phone');
  });

  it.each([
    [{ phone: '+49 (40) 123-45' }, undefined],
    [{ phone: '12' }, 'phone'],
    [{ phone: 'call me' }, 'phone'],
    [{ email: 'weird+tag@grüße.example' }, undefined],
    [{ email: 'a@b' }, 'email'],
    [{ email: 'a b@c.de' }, 'email'],
  ])('%j is judged by its own field', (given, field) => {
    expect(contactProblem({ answer: 'Yes', ...given })?.field).toBe(field);
  });
});

describe('ids', () => {
  it('have their prefix and as many letters as the rule says', () => {
    expect(v.safeParse(formIdSchema, formId(random)).success).toBe(true);
    expect(feedbackId(Date.UTC(2026, 0, 2, 3), random)).toMatch(/^EXPERIENCE_20260102_1767322800000_[A-Za-z0-9]{5}$/);
  });

  it('of feedback sort by the moment of their making', () => {
    const [early, late] = [feedbackId(Date.UTC(2026, 0, 31, 23, 59), random), feedbackId(Date.UTC(2026, 1, 1), random)];
    expect(early < late).toBe(true);
    expect(feedbackIdFloor(feedbackIdCreated(late)) <= late).toBe(true);
  });

  it('use each letter alike', () => {
    const counts = new Map<string, number>();
    for (const letter of randomAlphanumeric(62_000, (size) => Uint8Array.from({ length: size }, (_, index) => index % 256))) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(62);
    expect(counts.size).toBe(62);
  });
});
