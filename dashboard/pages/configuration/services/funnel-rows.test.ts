import { expect, it } from 'vitest';
import type { ReviewSpan } from '#contract/insight/review-funnel.ts';
import { funnelRows } from './funnel-rows.ts';

const span = (change: Partial<ReviewSpan>): ReviewSpan => ({
  ...{ from: 0, savedBy: 'USER_a', first: 1, last: 2, invite: 'good', services: ['Google', 'Yelp'] },
  ...{ ratings: [1, 0, 0, 0, 3], opened: [0, 0, 0, 0, 2] },
  ...change,
});

it('has a row for each rule and rating, until the next rule', () => {
  const rows = funnelRows([span({ from: 86_400_000, services: [] }), span({})], () => 'Ann');
  expect(rows).toHaveLength(11);
  expect(rows[5]).toEqual(['1970-01-02T00:00:00.000Z', '', 'Ann', '1 to 2', 'No one', '', 5, 3, 0, 2]);
  expect(rows[10]).toEqual([
    ...['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z', 'Ann', '1 to 2'],
    ...['Good and Great ratings', 'Google, Yelp', 5, 3, 3, 2],
  ]);
});
