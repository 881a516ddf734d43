import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  calendarDay,
  DATE_FILTERS,
  DAY,
  dateRange,
  HOUR,
  isoDay,
  offset,
  QUARTER_HOUR,
  rangeBefore,
  startOfDay,
  utcDay,
  wholeDays,
} from './time.ts';

/** Zones with half and quarter hours, in both hemispheres, with clocks that skip midnight or a whole day. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Pacific/Apia',
  'Africa/Cairo',
  'America/St_Johns',
];
const DAYS_BACK = { today: 0, week: 7, month: 31 };

/**
 * Until 2011, Newfoundland's clocks went from 00:01 back to 23:01 of the previous day, so a day's first minute came before the previous
 * day's last hour. Such days aren't contiguous and are left out.
 */
const WHOLE_DAYS_SINCE: Readonly<Record<string, number>> = { 'America/St_Johns': Date.UTC(2012, 0, 1) };

const moments = fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2035, 0, 1) });
const momentsInZones = fc
  .tuple(moments, fc.constantFrom(...ZONES))
  .filter(([at, zone]) => at >= (WHOLE_DAYS_SINCE[zone] ?? Number.NEGATIVE_INFINITY));

describe('a zone’s wall clock', () => {
  it('agrees with another implementation', () => {
    fc.assert(
      fc.property(momentsInZones, ([at, zone]) => {
        const wall = DateTime.fromMillis(at, { zone });
        expect(offset(at, zone)).toBe(wall.offset * 60_000);
        expect(calendarDay(at, zone)).toEqual({ year: wall.year, month: wall.month, day: wall.day });
      }),
      { numRuns: 500 },
    );
  });

  it('starts each day where the other implementation does', () => {
    fc.assert(
      fc.property(momentsInZones, ([at, zone]) => {
        const start = DateTime.fromMillis(at, { zone }).startOf('day');
        const { year, month, day } = start;
        expect(startOfDay({ year, month, day }, zone)).toBe(start.toMillis());
      }),
      { numRuns: 1000 },
    );
  });

  it('starts a day after the gap if midnight is skipped, and at the first of two midnights', () => {
    expect(new Date(startOfDay({ year: 2018, month: 11, day: 4 }, 'America/Sao_Paulo')).toISOString()).toBe('2018-11-04T03:00:00.000Z');
    expect(new Date(startOfDay({ year: 2019, month: 11, day: 3 }, 'America/Havana')).toISOString()).toBe('2019-11-03T04:00:00.000Z');
  });
});

describe('a date filter', () => {
  it('runs from the start of its first day to the start of tomorrow', () => {
    fc.assert(
      fc.property(momentsInZones, fc.constantFrom(...DATE_FILTERS), ([now, zone], filter) => {
        const { from, to } = dateRange(filter, now, zone);
        const today = DateTime.fromMillis(now, { zone }).startOf('day');
        expect(from <= now && now < to).toBe(true);
        // Samoa skipped 30 December 2011, so its calendar has a day less than its clock.
        if (zone === 'Pacific/Apia') return;
        expect(calendarDay(from, zone)).toEqual(addDays(calendarDay(now, zone), -DAYS_BACK[filter]));
        expect(to).toBe(today.plus({ days: 1 }).startOf('day').toMillis());
      }),
      { numRuns: 500 },
    );
  });

  it('follows a range of as many days that ends where it starts', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...DATE_FILTERS), (now, filter) => {
        const { from, to } = dateRange(filter, now, 'UTC');
        expect(rangeBefore(filter, now, 'UTC')).toEqual({ from: from - (to - from), to: from });
      }),
    );
  });
});

describe('dates', () => {
  it('have months from 1 and two digits', () => {
    expect(isoDay({ year: 2026, month: 1, day: 9 })).toBe('2026-01-09');
    expect(utcDay(Date.UTC(2026, 10, 21, 23, 59))).toBe('20261121');
  });

  it('cross the ends of months and years', () => {
    expect(addDays({ year: 2026, month: 12, day: 31 }, 1)).toEqual({ year: 2027, month: 1, day: 1 });
    expect(addDays({ year: 2028, month: 3, day: 1 }, -1)).toEqual({ year: 2028, month: 2, day: 29 });
  });

  it('and times use the units of another implementation', () => {
    expect([DAY, HOUR, QUARTER_HOUR]).toEqual(
      [{ days: 1 }, { hours: 1 }, { minutes: 15 }].map((unit) => Duration.fromObject(unit).toMillis()),
    );
  });
});

describe('whole days of UTC', () => {
  const noon = Date.UTC(2026, 10, 20, 12);

  it('and the rest cover a range without gaps or overlaps', () => {
    for (const hours of [0, 1, 11, 12, 13, 36, 37, 90]) {
      const span = { from: noon, to: noon + hours * HOUR };
      const { days, rest } = wholeDays(span);
      const [before, after] = rest;
      expect(days.from % DAY).toBe(0);
      expect(days.to % DAY).toBe(0);
      const parts = [before, days, after].filter(({ from, to }) => from < to);
      expect(parts.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(span.to - span.from);
      for (const [place, { from }] of parts.entries()) expect(from).toBe(place === 0 ? span.from : parts[place - 1]?.to);
      for (const { from, to } of rest) expect(to - from).toBeLessThanOrEqual(DAY);
    }
  });
});
