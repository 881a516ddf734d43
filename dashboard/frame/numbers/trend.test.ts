import { describe, expect, it } from 'vitest';
import { dateRange } from '#contract/core/time.ts';
import { bucketsOf, captionOf } from './trend.ts';

const ZONE = 'Europe/Lisbon';

describe('bucketsOf', () => {
  it('includes days without an answer', () => {
    const range = dateRange('month', Date.UTC(2026, 10, 21, 14), ZONE);
    const bars = bucketsOf([{ at: range.from, ratings: [1, 0, 0, 0, 0] }], range, { grain: 'day', zone: ZONE });
    expect(bars).toHaveLength(32);
    expect(bars[0]?.ratings).toEqual([1, 0, 0, 0, 0]);
    expect(bars[1]?.ratings).toEqual([0, 0, 0, 0, 0]);
  });

  it.each([
    ['the clocks go back', Date.UTC(2026, 9, 25, 14), 25],
    ['the clocks go forward', Date.UTC(2026, 2, 29, 14), 23],
    ['the clocks don’t change', Date.UTC(2026, 10, 21, 14), 24],
  ])('includes every hour of a day when %s', (_, now, hours) => {
    expect(bucketsOf([], dateRange('today', now, ZONE), { grain: 'hour', zone: ZONE })).toHaveLength(hours);
  });
});

describe('the caption', () => {
  it('reports an empty period', () => {
    expect(captionOf([0, 0, 0, 0, 0], [0, 0, 0, 0, 1], { name: 'week' })).toBe('No ratings in this period');
  });

  it('compares with the previous period if it had ratings', () => {
    expect(captionOf([0, 0, 0, 0, 2], undefined, { name: 'month' })).toBe('5.0 on average');
    expect(captionOf([0, 0, 0, 0, 2], [0, 0, 0, 0, 0], { name: 'month' })).toBe('5.0 on average');
    expect(captionOf([0, 0, 0, 1, 1], [0, 0, 0, 2, 0], { name: 'month' })).toBe('4.5 on average, up 0.5 from the month before');
    expect(captionOf([0, 0, 0, 2, 0], [0, 0, 0, 1, 1], { name: 'today' })).toBe('4.0 on average, down 0.5 from yesterday');
    expect(captionOf([0, 0, 0, 2, 0], [0, 0, 0, 1, 0], { name: 'week' })).toBe('4.0 on average, the same as the week before');
  });
});
