import { describe, expect, it } from 'vitest';
import { offeredIn, type ReviewRule, reviewSpans, servicesAgainst, type VersionCounts } from './review-funnel.ts';

const rule = (version: number, change: Partial<ReviewRule> = {}): ReviewRule => ({
  ...{ formId: 'FORM_a', version, saved: version * 1_000, savedBy: 'USER_a', invite: 'good', services: ['Google'] },
  ...change,
});
const counts = (version: number, formId = 'FORM_a'): VersionCounts => ({
  ...{ formId, version, ratings: [1, 1, 1, 1, 1], opened: [0, 0, 0, 1, 0] },
});

describe('the spans of a property’s rules', () => {
  it('join versions with the same rule, newest first', () => {
    const rules = [rule(1), rule(2), rule(3, { invite: 'everyone' }), rule(4, { invite: 'everyone', services: [] })];
    const spans = reviewSpans(rules, [counts(1), counts(2), counts(4)]);
    expect(spans.map(({ first, last, from, invite, ratings }) => [first, last, from, invite, ratings[0]])).toEqual([
      [4, 4, 4_000, 'everyone', 1],
      [3, 3, 3_000, 'everyone', 0],
      [1, 2, 1_000, 'good', 2],
    ]);
    expect(spans[2]?.opened).toEqual([0, 0, 0, 2, 0]);
  });

  it('keep forms apart', () => {
    const spans = reviewSpans([rule(1), rule(1, { formId: 'FORM_b', saved: 9_000 })], [counts(1, 'FORM_b')]);
    expect(spans.map(({ ratings }) => ratings[0])).toEqual([1, 0]);
  });

  it('say how many of each rating were offered the links', () => {
    const [none, everyone, good] = reviewSpans(
      [rule(1), rule(2, { invite: 'everyone' }), rule(3, { services: [] })],
      [counts(1), counts(2), counts(3)],
    ).map(offeredIn);
    expect([good, everyone, none]).toEqual([
      [0, 0, 0, 1, 1],
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
    ]);
  });
});

it('an invitation of happy visitors breaks the rules of Google and Trustpilot', () => {
  const all = ['Google', 'Yelp', 'Trustpilot', 'Other'] as const;
  expect(servicesAgainst('good', all)).toEqual(['Google', 'Trustpilot']);
  expect(servicesAgainst('everyone', all)).toEqual([]);
});
