import { describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { isPeriod } from '#contract/feedback/filters.ts';
import { adjacentPeriod, beforeLabel, beforeOf, daysOf, grainOf, periodLabel, rangeOf } from './period.ts';
import { periodOf, readPeriodSearch, searchFor } from './period-search.ts';

const ZONE = 'Europe/Lisbon';
const NOW = Date.UTC(2026, 10, 22, 12);

describe('a period', () => {
  it('is read from the address and written to it', () => {
    for (const raw of [{}, { range: 'today' }, { range: 'all' }, { from: '2026-10-01', to: '2026-10-31' }]) {
      const search = readPeriodSearch(raw);
      const period = periodOf(search, 'month');
      expect({ ...search, ...searchFor(period, 'month') }).toEqual(search);
    }
  });

  it('is ignored with an invalid, missing or reversed date', () => {
    for (const raw of [
      { from: '2026-02-30', to: '2026-03-01' },
      { from: '2026-02-01' },
      { to: '2026-02-01' },
      { from: '2026-03-02', to: '2026-03-01' },
      { from: '1', to: '2' },
    ])
      expect(readPeriodSearch(raw)).toMatchObject({ from: undefined, to: undefined });
    expect(isPeriod('2024-02-29', '2024-02-29')).toBe(true);
  });

  it('with custom dates includes both days, also when the clocks change', () => {
    // The clocks went back on 25 October 2026.
    const custom = { name: 'own', from: '2026-10-25', to: '2026-10-25' } as const;
    const { from = 0, to } = rangeOf(custom, NOW, ZONE);
    expect(to - from).toBe(DAY + DAY / 24);
    expect(beforeOf(custom, NOW, ZONE)).toEqual({ from: Date.UTC(2026, 9, 23, 23), to: from });
  });

  it('fills the date fields from its first day to today if it’s named', () => {
    expect(daysOf({ name: 'today' }, NOW, ZONE)).toEqual({ from: '2026-11-22', to: '2026-11-22' });
    for (const name of ['week', 'month'] as const) {
      const { from, to } = daysOf({ name }, NOW, ZONE);
      expect(rangeOf({ name: 'own', from, to }, NOW, ZONE)).toEqual(rangeOf({ name }, NOW, ZONE));
    }
    expect(daysOf({ name: 'all' }, NOW, ZONE)).toEqual({ from: '', to: '2026-11-22' });
    const custom = { name: 'own', from: '2026-10-01', to: '2026-10-25' } as const;
    expect(daysOf(custom, NOW, ZONE)).toMatchObject({ from: custom.from, to: custom.to });
  });

  it('is compared with as many days before it, and all time with nothing', () => {
    expect(beforeLabel({ name: 'own', from: '2026-11-01', to: '2026-11-10' })).toBe('the 10 days before');
    expect(beforeLabel({ name: 'own', from: '2026-11-01', to: '2026-11-01' })).toBe('the day before');
    expect([beforeOf({ name: 'all' }, NOW, ZONE), rangeOf({ name: 'all' }, NOW, ZONE).from]).toEqual([undefined, undefined]);
  });

  it('has bars of hours, days or months', () => {
    const grains = [1, 2, 8, 92, 93, 4000].map((days) => grainOf({ from: 0, to: days * DAY }));
    expect(grains).toEqual(['hour', 'hour', 'day', 'day', 'month', 'month']);
  });

  it('has a label', () => {
    expect(periodLabel({ name: 'all' })).toBe('All time');
    expect(periodLabel({ name: 'own', from: '2026-11-01', to: '2026-11-15' })).toBe('1 Nov 2026 – 15 Nov 2026');
    expect(periodLabel({ name: 'own', from: '2026-11-01', to: '2026-11-01' })).toBe('1 Nov 2026');
  });

  it('has neighbors, except at both ends', () => {
    expect(adjacentPeriod({ name: 'month' }, -1)).toBe('week');
    expect(adjacentPeriod({ name: 'today' }, -1)).toBe('today');
    expect(adjacentPeriod({ name: 'month' }, 1)).toBe('all');
    expect(adjacentPeriod({ name: 'all' }, 1)).toBe('all');
  });
});
