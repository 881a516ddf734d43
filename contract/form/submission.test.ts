import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Response } from '../feedback/feedback.ts';
import { RATINGS, type Rating } from '../feedback/rating.ts';
import { leftFieldsAfter } from './form-page.ts';
import type { ReviewService } from './review.ts';
import { blockOf, defaultSteps, gaugeOf, stepOf } from './steps.ts';
import { areSameResponses, canBeAmended, derive, mergeResponses, wrongResponse } from './submission.ts';

const gauge = (rating: Rating, uuid: string = randomUUID()): Response => ({ uuid, block: 'EmojiGauge', response: rating });
const contact = (answer: 'Yes' | 'No', more: { name?: string; phone?: string; email?: string } = {}): Response => ({
  uuid: randomUUID(),
  block: 'ContactMe',
  response: { answer, ...more },
});
const words = (text: string): Response => ({ uuid: randomUUID(), block: 'OpenText', response: text });
const review = (service: ReviewService): Response => ({ uuid: randomUUID(), block: 'ExternalReview', response: { service } });

describe('the fields derived from responses', () => {
  it('are undefined without a rating', () => {
    expect(derive([words('hello'), contact('Yes', { phone: '12345' })])).toBeUndefined();
  });

  it('are urgent below three, and whenever a visitor asks to be contacted', () => {
    for (const rating of RATINGS) {
      expect(derive([gauge(rating)])?.urgent).toBe(rating < 3);
      expect(derive([gauge(rating), contact('No')])?.urgent).toBe(rating < 3);
      expect(derive([gauge(rating), contact('Yes', { email: 'a@b.cd' })])?.urgent).toBe(true);
    }
  });

  it('have the kind contact me, else complaint below three, else regular', () => {
    expect(derive([gauge(2)])?.kind).toBe('complaint');
    expect(derive([gauge(1), contact('Yes', { phone: '12345' })])?.kind).toBe('contact me');
    expect(derive([gauge(3)])?.kind).toBe('regular');
  });

  it('have the review service as their source, else text, else none', () => {
    expect(derive([gauge(5)])?.source).toBe('none');
    expect(derive([gauge(5), words('  ')])?.source).toBe('none');
    expect(derive([gauge(5), words('nice')])?.source).toBe('open text');
    expect(derive([gauge(5), words('nice'), review('Yelp')])?.source).toBe('Yelp');
    expect(derive([gauge(5), review('Trustpilot')])?.source).toBe('Trustpilot');
    expect(derive([gauge(5), review('Other')])?.source).toBe('other service');
  });
});

describe('amended responses', () => {
  const uuids = fc.constantFrom('a', 'b', 'c', 'd');
  const lists = fc.array(fc.record({ uuid: uuids, rating: fc.constantFrom(...RATINGS) }).map(({ uuid, rating }) => gauge(rating, uuid)));

  it('replace one with the same uuid or are appended', () => {
    fc.assert(
      fc.property(lists, lists, (existing, added) => {
        const merged = mergeResponses(existing, added);
        const names = merged.map(({ uuid }) => uuid);
        expect(new Set(names).size).toBe(names.length);
        for (const item of merged) expect([...existing, ...added].findLast(({ uuid }) => uuid === item.uuid)).toEqual(item);
        expect(mergeResponses(merged, added)).toEqual(merged);
      }),
    );
  });

  it('keep the missing parts of a contact and replace the others, also by nothing', () => {
    const before = contact('Yes', { name: 'Ann', phone: '12345' });
    const amended = (response: object) => mergeResponses([before], [{ ...before, response } as Response])[0]?.response;
    expect(amended({ answer: 'Yes', email: 'a@b.cd' })).toEqual({ answer: 'Yes', name: 'Ann', phone: '12345', email: 'a@b.cd' });
    expect(amended({ answer: 'Yes', phone: '', email: 'a@b.cd' })).toMatchObject({ name: 'Ann', phone: '' });
    expect(amended({ answer: 'No' })).toEqual({ answer: 'No' });
  });

  it('are listed by the names of their fields', () => {
    const [contactAnswer, note] = [contact('Yes', { name: 'Ann', phone: '12345' }), words('hello')];
    const left = leftFieldsAfter([], [gauge(3), note, contactAnswer]);
    expect(left).toEqual([note.uuid, `${contactAnswer.uuid}.name`, `${contactAnswer.uuid}.phone`]);
    expect(leftFieldsAfter(left, [words(' '), { ...contactAnswer, response: { answer: 'Yes', email: 'a@b.cd' } }])).toEqual([
      ...left,
      `${contactAnswer.uuid}.email`,
    ]);
    expect(leftFieldsAfter(left, [{ ...contactAnswer, response: { answer: 'No' } }])).toEqual([note.uuid]);
  });

  it('are the same in any order of their fields, and not when a value differs', () => {
    const contactAnswer = contact('Yes', { name: 'Ann', phone: '12345' });
    const reordered = { response: { phone: '12345', name: 'Ann', answer: 'Yes' }, block: 'ContactMe', uuid: contactAnswer.uuid } as const;
    expect(areSameResponses([contactAnswer], [reordered])).toBe(true);
    expect(areSameResponses([contactAnswer], [{ ...reordered, response: { ...reordered.response, phone: '12346' } }])).toBe(false);
    expect(areSameResponses([contactAnswer], [])).toBe(false);
  });

  it('are accepted for an hour', () => {
    expect(canBeAmended(1_000, 1_000 + 3_600_000)).toBe(true);
    expect(canBeAmended(1_000, 1_001 + 3_600_000)).toBe(false);
  });
});

describe('a response that the form did not ask for', () => {
  const steps = defaultSteps([{ name: 'Google', url: 'https://g.page/r/pier-4/review' }], randomUUID);
  const reviewBlock = blockOf(stepOf(steps, 'spread the word'), 'ExternalReview')?.uuid ?? '';
  const ratingAnswer = gauge(4, gaugeOf(steps).uuid);

  it('is reported by its index and its field', () => {
    expect(wrongResponse(steps, [ratingAnswer])).toBeUndefined();
    expect(wrongResponse(steps, [ratingAnswer, words('hello')])).toMatchObject({ index: 1, field: 'uuid' });
    expect(wrongResponse(steps, [{ ...words('hello'), uuid: ratingAnswer.uuid }])).toMatchObject({ index: 0, field: 'block' });
  });

  it('may be a service that the form doesn’t link to', () => {
    expect(wrongResponse(steps, [{ ...review('Google'), uuid: reviewBlock }])).toBeUndefined();
    expect(wrongResponse(steps, [{ ...review('Yelp'), uuid: reviewBlock }])).toMatchObject({ field: 'response.service' });
  });
});
