import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { comingPeriod, lastPeriod, nextPeriod, periodBefore, REPORT_DAYS, REPORT_KINDS, type ReportKind, reportPeriod } from './report.ts';

/** Clocks that change by an hour or half an hour, at midnight or later, and one with an offset of 45 minutes. */
const ZONES = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Asia/Beirut', 'America/Santiago'];
const UNITS: Readonly<Record<ReportKind, 'day' | 'week' | 'month'>> = { daily: 'day', weekly: 'week', monthly: 'month' };
const YEAR = 2026;

describe.each(REPORT_KINDS)('a %s period', (kind) => {
  const unit = UNITS[kind];

  it.each(ZONES)('matches the calendar in %s all year, and its report is due at seven', (zone) => {
    const end = DateTime.fromObject({ year: YEAR + 1 }, { zone });
    for (let first = DateTime.fromObject({ year: YEAR }, { zone }).startOf(unit); first < end; first = first.plus({ [unit]: 1 })) {
      const next = first.plus({ [unit]: 1 });
      const period = reportPeriod(kind, first.toFormat('yyyy-MM-dd'), zone);
      expect(period).toEqual({
        kind,
        firstDay: first.toFormat('yyyy-MM-dd'),
        lastDay: next.minus({ days: 1 }).toFormat('yyyy-MM-dd'),
        from: first.startOf('day').toMillis(),
        to: next.startOf('day').toMillis(),
        due: next.set({ hour: 7 }).toMillis(),
        until: next.plus({ days: REPORT_DAYS[kind] }).startOf('day').toMillis(),
      });
      expect(nextPeriod(period, zone).firstDay).toBe(next.toFormat('yyyy-MM-dd'));
      expect(periodBefore(nextPeriod(period, zone), zone)).toEqual(period);
      expect(lastPeriod(kind, period.to, zone)).toEqual(period);
      expect(lastPeriod(kind, period.to - 1, zone)).toEqual(periodBefore(period, zone));
      expect(comingPeriod(kind, period.due - 1, zone)).toEqual(period);
      expect(comingPeriod(kind, period.due, zone)).toEqual(nextPeriod(period, zone));
    }
  });
});
