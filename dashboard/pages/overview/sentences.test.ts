import { describe, expect, it } from 'vitest';
import type { Tally } from '#contract/feedback/feedback.ts';
import { hoursSentence, trendSentence } from './sentences.ts';

describe('the sentences', () => {
  it('name the fullest bar', () => {
    const of = (...counts: number[]) =>
      trendSentence(
        counts.map((count, day) => ({ at: Date.UTC(2026, 10, 3 + day, 12), ratings: [0, 0, 0, 0, count] as Tally })),
        'day',
      );
    expect(of(4, 9, 8)).toBe('Most ratings came on Wednesday 4 November: 9.');
    expect(of(4, 9, 9)).toBe('Most ratings came on Wednesday 4 November and on Thursday 5 November: 9 each.');
    expect(of(4, 9, 9, 9, 9)).toBe('Most ratings came on 4 days: 9 each.');
    expect(trendSentence([], 'day')).toBe('No ratings in this period.');
  });

  it('name the busiest hour, from enough ratings on', () => {
    const cell = (weekday: number, hour: number, count: number) => ({ weekday, hour, ratings: [0, 0, 0, 0, count] as Tally });
    expect(hoursSentence([cell(1, 9, 19)])).toBe('The hours of the week appear once there are 20 ratings.');
    expect(hoursSentence([cell(2, 9, 9), cell(6, 10, 6), cell(6, 11, 7)])).toBe(
      'Saturday brings the most ratings. The busiest hour is Tuesday from 09:00, with 9.',
    );
    expect(hoursSentence([cell(2, 9, 13), cell(6, 10, 13)])).toBe(
      'Tuesday and Saturday bring the most ratings. The busiest hours are Tuesday from 09:00 and Saturday from 10:00, with 13 each.',
    );
    expect(hoursSentence([1, 2, 3, 4].map((day) => cell(day, 9, 6)))).toMatch(/ 4 hours are equally busy, with 6 each\.$/);
  });
});
