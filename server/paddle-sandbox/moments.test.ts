import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idLetters, millisecondsOf, momentAt, nextBillingDate } from './moments.ts';

const DAY = 86_400_000;

it('a day of the month never drifts, and is the last one where a month is too short', () => {
  const anchors = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(anchors, fc.integer({ min: 0, max: 2_000 }), (anchor, days) => {
      const after = anchor.getTime() + days * DAY;
      const next = nextBillingDate(anchor.getTime(), { interval: 'month', frequency: 1 }, after);
      const date = new Date(next);
      const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      expect(date.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), lastDay));
      expect(next).toBeGreaterThan(after);
      expect(next - after).toBeLessThanOrEqual(31 * DAY);
    }),
  );
});

it('moments and ids keep their order within a millisecond', () => {
  const start = Date.parse('2026-03-01T00:00:00.330Z') * 1000;
  expect([start, start + 150, start - 330_000].map(momentAt)).toEqual([
    '2026-03-01T00:00:00.33Z',
    '2026-03-01T00:00:00.33015Z',
    '2026-03-01T00:00:00Z',
  ]);
  expect(millisecondsOf(momentAt(start))).toBe(start / 1000);
  const ids = [0, 1, 31, 32, 999, 1_000].map((later) => idLetters(start + later, new Uint8Array(14)));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => /^[a-z\d]{26}$/.test(id))).toBe(true);
});
