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

describe('what responses say', () => {
  it('is nothing without a rating', () => {
    expect(derive([words('hello'), contact('Yes', { phone: '12345' })])).toBeUndefined();
  });

  it('is urgent below three, and whenever somebody asks to be contacted', () => {
    for (const rating of RATINGS) {
      expect(derive([gauge(rating)])?.urgent).toBe(rating < 3);
      expect(derive([gauge(rating), contact('No')])?.urgent).toBe(rating < 3);
      expect(derive([gauge(rating), contact('Yes', { email: 'a@b.cd' })])?.urgent).toBe(true);
    }
  });

  it('is a complaint below three, a wish for contact before that, else regular', () => {
    expect(derive([gauge(2)])?.kind).toBe('complaint');
    expect(derive([gauge(1), contact('Yes', { phone: '12345' })])?.kind).toBe('contact me');
    expect(derive([gauge(3)])?.kind).toBe('regular');
  });

  it('names its source: the review service, else text, else none', () => {
    expect(derive([gauge(5)])?.source).toBe('none');
    expect(derive([gauge(5), words('  ')])?.source).toBe('none');
    expect(derive([gauge(5), words('nice')])?.source).toBe('open text');
    expect(derive([gauge(5), words('nice'), review('Yelp')])?.source).toBe('Yelp');
    expect(derive([gauge(5), review('Trustpilot')])?.source).toBe('Trustpilot');
    expect(derive([gauge(5), review('Other')])?.source).toBe('other service');
  });
});

describe('responses that are sent later', () => {
  const uuids = fc.constantFrom('a', 'b', 'c', 'd');
  const lists = fc.array(fc.record({ uuid: uuids, rating: fc.constantFrom(...RATINGS) }).map(({ uuid, rating }) => gauge(rating, uuid)));

  it('replace one with the same uuid or are appended', () => {
    fc.assert(
      fc.property(lists, lists, (given, added) => {
        const merged = mergeResponses(given, added);
        const names = merged.map(({ uuid }) => uuid);
        expect(new Set(names).size).toBe(names.length);
        for (const one of merged) expect([...given, ...added].findLast(({ uuid }) => uuid === one.uuid)).toEqual(one);
        expect(mergeResponses(merged, added)).toEqual(merged);
      }),
    );
  });

  it('keep the parts of a contact that they do not replace', () => {
    const before = contact('Yes', { name: 'Ann', phone: '12345' });
    const amended = (response: object) => mergeResponses([before], [{ ...before, response } as Response])[0]?.response;
    expect(amended({ answer: 'Yes', phone: ' ', email: 'a@b.cd' })).toEqual({
      answer: 'Yes',
      name: 'Ann',
      phone: '12345',
      email: 'a@b.cd',
    });
    expect(amended({ answer: 'No' })).toEqual({ answer: 'No' });
  });

  it('are said to be there by the names of their fields', () => {
    const [asked, note] = [contact('Yes', { name: 'Ann', phone: '12345' }), words('hello')];
    const left = leftFieldsAfter([], [gauge(3), note, asked]);
    expect(left).toEqual([note.uuid, `${asked.uuid}.name`, `${asked.uuid}.phone`]);
    expect(leftFieldsAfter(left, [words(' '), { ...asked, response: { answer: 'Yes', email: 'a@b.cd' } }])).toEqual([
      ...left,
      `${asked.uuid}.email`,
    ]);
    expect(leftFieldsAfter(left, [{ ...asked, response: { answer: 'No' } }])).toEqual([note.uuid]);
  });

  it('are the same whatever the order of their fields, and not when a word differs', () => {
    const asked = contact('Yes', { name: 'Ann', phone: '12345' });
    const turned = { response: { phone: '12345', name: 'Ann', answer: 'Yes' }, block: 'ContactMe', uuid: asked.uuid } as const;
    expect(areSameResponses([asked], [turned])).toBe(true);
    expect(areSameResponses([asked], [{ ...turned, response: { ...turned.response, phone: '12346' } }])).toBe(false);
    expect(areSameResponses([asked], [])).toBe(false);
  });

  it('are taken for an hour', () => {
    expect(canBeAmended(1_000, 1_000 + 3_600_000)).toBe(true);
    expect(canBeAmended(1_000, 1_001 + 3_600_000)).toBe(false);
  });
});

describe('a response that the form did not ask for', () => {
  const steps = defaultSteps([{ name: 'Google', url: 'https://g.page/r/pier-4/review' }], randomUUID);
  const reviewBlock = blockOf(stepOf(steps, 'spread the word'), 'ExternalReview')?.uuid ?? '';
  const rated = gauge(4, gaugeOf(steps).uuid);

  it('is named by its index and its field', () => {
    expect(wrongResponse(steps, [rated])).toBeUndefined();
    expect(wrongResponse(steps, [rated, words('hello')])).toMatchObject({ index: 1, field: 'uuid' });
    expect(wrongResponse(steps, [{ ...words('hello'), uuid: rated.uuid }])).toMatchObject({ index: 0, field: 'block' });
  });

  it('may be for a service that the form does not point to', () => {
    expect(wrongResponse(steps, [{ ...review('Google'), uuid: reviewBlock }])).toBeUndefined();
    expect(wrongResponse(steps, [{ ...review('Yelp'), uuid: reviewBlock }])).toMatchObject({ field: 'response.service' });
  });
});
