import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { average, feedbackOperations, type Response, response, type Tally, total } from './feedback.ts';
import { RATINGS, type Rating, viewOf } from './rating.ts';

const gauge = (rating: Rating, uuid: string = randomUUID()): Response => ({ uuid, block: 'EmojiGauge', response: rating });
const contact = (answer: 'Yes' | 'No', more: { name?: string; phone?: string; email?: string } = {}): Response => ({
  uuid: randomUUID(),
  block: 'ContactMe',
  response: { answer, ...more },
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
    ['half of a character', words('\ud800')],
    ['an unknown block', { uuid: randomUUID(), block: 'Table', response: 1 }],
    ['a field too many', { ...gauge(1), extra: 1 }],
    ['a service that we do not know', { uuid: randomUUID(), block: 'ExternalReview', response: { service: 'Bing' } }],
  ])('refuse %s', (_name, input) => {
    expect(v.safeParse(response, input).success).toBe(false);
  });

  it('name the field of a contact that is wrong', () => {
    const { issues } = v.safeParse(response, contact('Yes', { email: 'nobody' }));
    expect(issues?.[0]?.message).toBe('Please enter a valid email');
    expect(issues?.[0]?.path?.map(({ key }) => key)).toEqual(['response', 'email']);
  });
});

describe('counts', () => {
  it('average over what there is', () => {
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

describe('a question about feedback', () => {
  const { input } = feedbackOperations.list;

  it('names an account or a property', () => {
    expect(v.safeParse(input, {}).issues?.[0]?.message).toBe('Please name an account or a property');
    expect(v.safeParse(input, { accountId: 'ACCOUNT_abcd' }).success).toBe(true);
  });

  it('asks for a hundred at most', () => {
    expect(v.safeParse(input, { accountId: 'ACCOUNT_abcd', limit: 101 }).success).toBe(false);
    expect(v.parse(input, { accountId: 'ACCOUNT_abcd' }).limit).toBe(25);
  });
});
