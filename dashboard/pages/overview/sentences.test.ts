import { describe, expect, it } from 'vitest';
import type { Tally } from '#contract/feedback/tally.ts';
import { hoursSentence, trendSentence } from './sentences.ts';

describe('the sentences', () => {
  it('name the busiest times', () => {
    const of = (...counts: number[]) =>
      trendSentence(
        counts.map((count, day) => ({ at: Date.UTC(2026, 10, 3 + day, 12), ratings: [0, 0, 0, 0, count] as Tally })),
        'day',
      );
    expect(of(4, 9, 8)).toBe('Busiest: Wednesday 4 November, with 9 ratings.');
    expect(of(4, 9, 9)).toBe('Busiest: Wednesday 4 November and Thursday 5 November, with 9 ratings each.');
    expect(of(4, 9, 9, 9, 9)).toBe('Busiest: 4 days, with 9 ratings each.');
    expect(trendSentence([], 'day')).toBe('No ratings in this period.');
  });

  it('name the busiest hour once there are enough ratings', () => {
    const cell = (weekday: number, hour: number, count: number) => ({ weekday, hour, ratings: [0, 0, 0, 0, count] as Tally });
    expect(hoursSentence([cell(1, 9, 19)])).toBe('Appears after 20 ratings.');
    expect(hoursSentence([cell(2, 9, 9), cell(6, 10, 6), cell(6, 11, 7)])).toBe(
      'Saturday brings the most ratings. The busiest hour is Tuesday from 09:00, with 9.',
    );
    expect(hoursSentence([cell(2, 9, 13), cell(6, 10, 13)])).toBe(
      'Tuesday and Saturday bring the most ratings. The busiest hours are Tuesday from 09:00 and Saturday from 10:00, with 13 each.',
    );
    expect(hoursSentence([1, 2, 3, 4].map((day) => cell(day, 9, 6)))).toMatch(/ 4 hours are equally busy, with 6 each\.$/);
  });

  it('compare the averages of the weekdays with enough ratings', () => {
    const cell = (weekday: number, ratings: Tally) => ({ weekday, hour: 9, ratings });
    const few = cell(3, [5, 0, 0, 0, 0]);
    const monday = cell(1, [0, 0, 0, 0, 20]);
    expect(hoursSentence([monday, cell(2, [10, 0, 0, 0, 11]), few])).toMatch(
      / Monday has the highest average, 5\.0, and Tuesday the lowest, 3\.1\.$/,
    );
    expect(hoursSentence([monday, few])).toMatch(/from 09:00, with 20\.$/);
  });
});
