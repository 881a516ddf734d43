import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { feedbackOperations, type Response, response } from './feedback.ts';
import { RATINGS, type Rating, viewOf } from './rating.ts';
import { average, type Tally, total } from './tally.ts';

const gauge = (rating: Rating, uuid: string = randomUUID()): Response => ({ uuid, block: 'EmojiGauge', response: rating });
const contact = (answer: 'Yes' | 'No', extra: { name?: string; phone?: string; email?: string } = {}): Response => ({
  uuid: randomUUID(),
  block: 'ContactMe',
  response: { answer, ...extra },
});
const words = (text: string): Response => ({ uuid: randomUUID(), block: 'OpenText', response: text });

describe('a rating', () => {
  it('opens one of three views', () => {
    expect(RATINGS.map(viewOf)).toEqual(['bad', 'bad', 'okay', 'good', 'good']);
  });
});

describe('responses', () => {
  it.each([
    ['a rating of six', { uuid: randomUUID(), block: 'EmojiGauge', response: 6 }],
    ['a rating of a half', { uuid: randomUUID(), block: 'EmojiGauge', response: 2.5 }],
    ['a rating in words', { uuid: randomUUID(), block: 'EmojiGauge', response: '5' }],
    ['a text that is too long', words('x'.repeat(2001))],
    ['a text with a NUL', words('a\0b')],
    ['a lone surrogate', words('\ud800')],
    ['an unknown block', { uuid: randomUUID(), block: 'Table', response: 1 }],
    ['an extra field', { ...gauge(1), extra: 1 }],
    ['an unknown service', { uuid: randomUUID(), block: 'ExternalReview', response: { service: 'Bing' } }],
  ])('refuse %s', (_name, input) => {
    expect(v.safeParse(response, input).success).toBe(false);
  });

  it('name the wrong field of a contact', () => {
    const { issues } = v.safeParse(response, contact('Yes', { email: 'nobody' }));
    expect(issues?.[0]?.message).toBe('Please enter a valid email');
    expect(issues?.[0]?.path?.map(({ key }) => key)).toEqual(['response', 'email']);
  });
});

describe('the context of feedback', () => {
  const { input } = feedbackOperations.save;
  const data = { formId: 'FORM_Pier04', responses: [gauge(4)] };
  const parse = (extra: object) => v.safeParse(input, { idempotencyKey: 'k'.repeat(24), payload: { data: { ...data, ...extra } } });
  const urlOf = (url: string) => (parse({ url }).output as { payload?: { data: { url?: string } } } | undefined)?.payload?.data.url;

  it('has the page’s address without query and fragment', () => {
    for (const extra of ['', '?key=secret', '#secret', '?a=1#secret?b'])
      expect(urlOf(`https://feedback.example/feedback/FORM_Pier04${extra}`)).toBe('https://feedback.example/feedback/FORM_Pier04');
    for (const url of [
      'FORM_Pier04',
      'javascript:alert(1)',
      'https://ann:secret@feedback.example/',
      'https://',
      `https://a.b/${'x'.repeat(2000)}`,
    ])
      expect(parse({ url }).success).toBe(false);
    expect(urlOf(`https://a.b/${'x'.repeat(1000)}`)).toHaveLength(500);
  });

  it('has the business’s id for the visitor, bounded and of plain characters', () => {
    for (const userId of ['table-7', 'A.b_c~9', 'x'.repeat(64)]) expect(parse({ userId }).success).toBe(true);
    for (const userId of ['', 'a b', 'ann@mole.example', '<b>', 'x'.repeat(65)]) expect(parse({ userId }).success).toBe(false);
  });

  it('has a phone number that anyone can dial', () => {
    const { output } = v.safeParse(response, contact('Yes', { phone: '٠٤٠ ١٢٣٤٥' }));
    expect(output).toMatchObject({ response: { phone: '040 12345' } });
  });
});

describe('counts', () => {
  it('average over all ratings', () => {
    const counts = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(50));
    fc.assert(
      fc.property(counts, (ratings: Tally) => {
        const mean = average(ratings);
        if (total(ratings) === 0) expect(mean).toBeUndefined();
        else expect(mean).toBeGreaterThanOrEqual(1);
        expect(mean ?? 5).toBeLessThanOrEqual(5);
      }),
    );
    expect(average([1, 0, 0, 0, 1])).toBe(3);
  });
});

describe('a list of feedback', () => {
  const { input } = feedbackOperations.list;

  it('requires an account or a property', () => {
    expect(v.safeParse(input, {}).issues?.[0]?.message).toBe('Choose an account or a property');
    expect(v.safeParse(input, { accountId: 'ACCOUNT_abcd' }).success).toBe(true);
  });

  it('has at most a hundred items', () => {
    expect(v.safeParse(input, { accountId: 'ACCOUNT_abcd', limit: 101 }).success).toBe(false);
    expect(v.parse(input, { accountId: 'ACCOUNT_abcd' }).limit).toBe(25);
  });
});
