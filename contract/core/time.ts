/** Dates that people see follow the zone of whoever looks; instants are UTC milliseconds everywhere. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;
export const QUARTER_HOUR = 900_000;

export const DATE_FILTERS = ['today', 'week', 'month'] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

/** How many days before today a filter begins (docs/rules.md#date-filters). */
const DAYS_BACK: Record<DateFilter, number> = { today: 0, week: 7, month: 31 };

/** A range of time: from (inclusive) to (exclusive), UTC milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What a date filter means at a moment in a zone: from the start of its first day to the start of tomorrow (docs/rules.md#date-filters). */
export function dateRange(filter: DateFilter, now: number, zone: string): Range {
  const today = calendarDay(now, zone);
  return { from: startOfDay(addDays(today, -DAYS_BACK[filter]), zone), to: startOfDay(addDays(today, 1), zone) };
}

/** The range of the same length that ends where this one begins, for "up 0.2 on the 31 days before". */
export function rangeBefore(filter: DateFilter, now: number, zone: string): Range {
  const { from } = dateRange(filter, now, zone);
  const first = calendarDay(from, zone);
  return { from: startOfDay(addDays(first, -(DAYS_BACK[filter] + 1)), zone), to: from };
}

/**
 * A stretch of time as whole days of UTC and what is left of it before and after them, so that what is counted by day is read by
 * day. The days begin where they end if there are none; what is left may be empty.
 */
export function wholeDays({ from, to }: Range): { readonly days: Range; readonly rest: readonly [Range, Range] } {
  const first = Math.ceil(from / DAY) * DAY;
  if (first > to)
    return {
      days: { from: first, to: first },
      rest: [
        { from, to },
        { from: to, to },
      ],
    };
  const last = Math.floor(to / DAY) * DAY;
  return {
    days: { from: first, to: last },
    rest: [
      { from, to: first },
      { from: last, to },
    ],
  };
}

/** A day of the calendar, months from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** `yyyymmdd` of a moment in UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

/** `yyyy-mm-dd`: year, 1-based month, day, two digits each (docs/rules.md#dates). */
export function isoDay({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** A moment as the clock of a zone shows it, with how far that is ahead of UTC: `2026-11-22T10:43:51+01:00`. */
export function isoMoment(at: number, zone: string): string {
  const ahead = offset(at, zone);
  const minutes = Math.abs(Math.round(ahead / 60_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${new Date(at + ahead).toISOString().slice(0, 19)}${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The day that `yyyy-mm-dd` names; undefined where the calendar has no such day. */
export function parseDay(text: string): CalendarDay | undefined {
  const [, year, month, day] = (ISO_DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const parsed = addDays({ year, month, day }, 0);
  return isoDay(parsed) === text ? parsed : undefined;
}

/** The day that the calendar on the wall shows at a moment in a zone. */
export function calendarDay(at: number, zone: string): CalendarDay {
  const wall = new Date(at + offset(at, zone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

export function addDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/**
 * The first moment of a day in a zone: midnight, or where the clocks skip midnight, the moment after the gap;
 * where midnight comes twice, the first.
 */
export const startOfDay = (day: CalendarDay, zone: string): number => hourOfDay(day, 0, zone);

/** The same of any full hour: when the clock on the wall shows it first on this day. */
export const hourOfDay = (day: CalendarDay, hour: number, zone: string): number => momentsOf(day, hour * 60, zone)[0];

/**
 * When the clocks of a zone show this many minutes of a day: once; twice, in order, where they go back over it; where they
 * skip it, the moment after the gap.
 */
export function momentsOf({ year, month, day }: CalendarDay, minutes: number, zone: string): [number, ...number[]] {
  const shown = Date.UTC(year, month - 1, day) + minutes * MINUTE;
  const [before, after] = [shown - offset(shown - DAY, zone), shown - offset(shown + DAY, zone)];
  const candidates = [Math.min(before, after), Math.max(before, after)] as const;
  const [first, ...others] = [...new Set(candidates)].filter((at) => at + offset(at, zone) === shown);
  return first === undefined ? [afterGap(shown, candidates, zone)] : [first, ...others];
}

/** The clocks skip this. They jump once between the candidates; find the moment they do. */
function afterGap(shown: number, [early, late]: readonly [number, number], zone: string): number {
  let before = early - 1;
  let after = late + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offset(middle, zone) >= shown) after = middle;
    else before = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the wall clock of a zone is ahead of UTC at a moment, in milliseconds. */
export function offset(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallClock(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return wall.getTime() - Math.floor(at / 1000) * 1000;
}

function wallClock(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
